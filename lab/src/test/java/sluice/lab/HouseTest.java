package sluice.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Rules about the text of the repository.
final class HouseTest {
    /// What a file must not contain, and why. The words are cut in two, so that this file does not.
    private static final Map<String, Pattern> FORBIDDEN =
            Map.of(
                    "a path of one machine",
                    Pattern.compile("(?<![\\w.~-])/(wo" + "rk|ro" + "ot|ho" + "me/[a-z]\\w*)/"),
                    "unfinished business: finish it or tell the user",
                    Pattern.compile("\\b(TO" + "DO|FIX" + "ME)\\b"),
                    "the host of a package registry",
                    Pattern.compile(
                            "repo1?\\.ma"
                                    + "ven\\.|central\\.sona"
                                    + "type|registry\\.np"
                                    + "mjs|py"
                                    + "pi\\.org|python"
                                    + "hosted|crat"
                                    + "es\\.io|proxy\\.go"
                                    + "lang|deb\\.deb"
                                    + "ian\\.org"));

    private static final Pattern PUBLIC_TYPE =
            Pattern.compile(
                    "public (?:(?:abstract|final|sealed|non-sealed|strictfp) )*"
                            + "(?:class|interface|@interface|record|enum) (\\w+).*");

    @Test
    void noFileKnowsThisMachineARegistryOrUnfinishedBusiness() throws IOException {
        List<String> findings = new ArrayList<>();
        for (Path file : House.files()) {
            byte[] bytes = Files.readAllBytes(House.root().resolve(file));
            String text = new String(bytes, StandardCharsets.ISO_8859_1);
            if (text.indexOf('\0') < 0) {
                FORBIDDEN.forEach((why, pattern) -> find(file, text, pattern, why, findings));
            }
        }
        assertThat(findings).isEmpty();
    }

    @Test
    void everyPublicTypeSaysWhatItIs() {
        List<String> findings = new ArrayList<>();
        for (Path file : House.productFiles()) {
            String[] lines = House.read(file).split("\n", -1);
            for (int i = 0; i < lines.length; i++) {
                Matcher type = PUBLIC_TYPE.matcher(lines[i]);
                if (type.matches() && !isDocumented(lines, i)) {
                    findings.add(file + ":" + (i + 1) + " " + type.group(1) + " has no comment");
                }
            }
        }
        assertThat(findings).isEmpty();
    }

    @Test
    void everyPackageHasADoorPlate() {
        Map<Path, Boolean> packages = new TreeMap<>();
        for (Path file : House.productFiles()) {
            if (!file.endsWith("module-info.java")) {
                boolean plate =
                        file.endsWith("package-info.java")
                                && House.read(file).contains("@NullMarked");
                packages.merge(file.getParent(), plate, Boolean::logicalOr);
            }
        }
        packages.values().removeIf(marked -> marked);
        assertThat(packages.keySet()).as("packages without package-info and @NullMarked").isEmpty();
    }

    private static void find(
            Path file, String text, Pattern pattern, String why, List<String> findings) {
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            long line = text.substring(0, matcher.start()).lines().count();
            findings.add(file + ":" + Math.max(line, 1) + " " + matcher.group() + " is " + why);
        }
    }

    /// Annotations may stand between the comment and the type.
    private static boolean isDocumented(String[] lines, int type) {
        for (int i = type - 1; i >= 0; i--) {
            String line = lines[i];
            if (line.startsWith("///") || line.endsWith("*/")) {
                return true;
            }
            if (line.isBlank() || line.startsWith("import ") || line.equals("}")) {
                return false;
            }
        }
        return false;
    }
}
