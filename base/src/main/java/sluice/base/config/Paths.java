package sluice.base.config;

/// Paths of values as messages show them: `outbounds[2].server_port`.
public final class Paths {

    private Paths() {}

    /// The path of a key below `path`; an empty path is the root.
    public static String join(String path, String key) {
        String shown = Shown.plain(key);
        return path.isEmpty() ? shown : path + "." + shown;
    }

    /// The path of a list element, counted from 0.
    public static String at(String path, int index) {
        return path + "[" + index + "]";
    }
}
