package sluice.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/// The ratchet of growth. What passes the limits below stands in `growth.txt` with its length; an
/// entry may shrink and must go once it is within the limits.
final class GrowthTest {
    private static final int FILE_LINES_MAX = 600;
    private static final int METHOD_LINES_MAX = 70;

    @Test
    void nothingGrowsBeyondWhatIsListed() throws IOException {
        assertThat(findings(measure(House.javaFiles()), listed())).isEmpty();
    }

    @Test
    void theRatchetTurnsOneWay() {
        Map<String, Integer> listed = Map.of("Listed.java", 700, "Listed.java#run", 80);

        assertThat(findings(Map.of("Listed.java", 700, "Listed.java#run", 75), listed)).isEmpty();
        assertThat(findings(Map.of("Listed.java", 701, "Listed.java#run", 80), listed)).hasSize(1);
        assertThat(findings(Map.of("Listed.java", 600, "Listed.java#run", 70), listed)).hasSize(2);
        assertThat(findings(Map.of("Other.java", 601, "Other.java#run", 71), Map.of())).hasSize(2);
        assertThat(findings(Map.of("Other.java", 600, "Other.java#run", 70), Map.of())).isEmpty();
    }

    private static List<String> findings(Map<String, Integer> actual, Map<String, Integer> listed) {
        List<String> findings = new ArrayList<>();
        actual.forEach((name, lines) -> {
            int most = listed.getOrDefault(name, limit(name));
            if (lines > most) {
                findings.add(name + " has " + lines + " lines, at most " + most);
            }
        });
        listed.forEach((name, _) -> {
            if (actual.getOrDefault(name, 0) <= limit(name)) {
                findings.add(name + " is within the limit: strike it from growth.txt");
            }
        });
        return findings;
    }

    private static int limit(String name) {
        return name.contains("#") ? METHOD_LINES_MAX : FILE_LINES_MAX;
    }

    /// Lines `<lines> <path>` and `<lines> <path>#<method>`; `#` at the beginning of a line is a
    /// comment.
    private static Map<String, Integer> listed() throws IOException {
        Map<String, Integer> listed = new TreeMap<>();
        try (var in = GrowthTest.class.getResourceAsStream("/growth.txt")) {
            String text = new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            text.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(line -> line.split(" ", 2))
                    .forEach(entry -> listed.put(entry[1].strip(), Integer.valueOf(entry[0])));
        }
        return listed;
    }

    /// The lines of every file and of the longest method of each name in it.
    private static Map<String, Integer> measure(List<Path> files) throws IOException {
        Map<String, Integer> lines = new TreeMap<>();
        Path root = House.root();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            var sources =
                    manager.getJavaFileObjectsFromPaths(files.stream().map(root::resolve).toList());
            var task =
                    (JavacTask)
                            compiler.getTask(
                                    null, manager, null, List.of("-proc:none"), null, sources);
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                String path = root.relativize(Path.of(unit.getSourceFile().toUri())).toString();
                lines.put(path, (int) House.read(Path.of(path)).lines().count());
                new MethodScanner(unit, positions, lines).scan(unit, path);
            }
        }
        return lines;
    }

    private static final class MethodScanner extends TreePathScanner<Void, String> {
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final Map<String, Integer> lines;

        MethodScanner(
                CompilationUnitTree unit, SourcePositions positions, Map<String, Integer> lines) {
            this.unit = unit;
            this.positions = positions;
            this.lines = lines;
        }

        @Override
        public Void visitMethod(MethodTree method, String path) {
            LineMap map = unit.getLineMap();
            long start = positions.getStartPosition(unit, method);
            long end = positions.getEndPosition(unit, method);
            if (start >= 0 && end >= start) {
                int length = (int) (map.getLineNumber(end) - map.getLineNumber(start) + 1);
                lines.merge(path + "#" + name(method), length, Math::max);
            }
            return super.visitMethod(method, path);
        }

        private String name(MethodTree method) {
            if (!method.getName().contentEquals("<init>")) {
                return method.getName().toString();
            }
            return ((ClassTree) getCurrentPath().getParentPath().getLeaf())
                    .getSimpleName()
                    .toString();
        }
    }
}
