package sluice.app.link;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import sluice.base.config.ConfigNode;
import sluice.base.config.ConfigNode.Items;
import sluice.base.config.ConfigNode.Mapping;
import sluice.base.config.ConfigNode.Scalar;
import sluice.base.config.Findings;
import sluice.base.config.Place;
import sluice.base.config.Refusal;
import sluice.base.config.Secret;
import sluice.base.config.Shown;
import sluice.base.net.Host;
import sluice.base.net.IpAddress;

/// A Shadowsocks server as a link: SIP002, its plain form, and the older form that is Base64 as a
/// whole.
///
/// @param name for people; may be empty
/// @param host the server
/// @param port its port
/// @param method in lower case; whether it is known here, the reader of outbounds says
/// @param password as it stands in a configuration: several keys of the 2022 edition joined by `:`
/// @param plugin name of a plugin, or empty
/// @param pluginOptions its option string
/// @param udpOverTcp whether datagrams go in a stream
public record ShadowsocksLink(
        String name,
        Host host,
        int port,
        String method,
        Secret password,
        String plugin,
        String pluginOptions,
        boolean udpOverTcp) {

    /// Chosen: a chain of keys and a plugin's options have less.
    private static final int MOST_CHARACTERS = 8192;

    /// Programs that a link may start: a link comes from strangers.
    private static final List<String> PLUGINS =
            List.of("obfs-local", "v2ray-plugin", "xray-plugin");

    private static final String SCHEME = "ss://";

    /// Whether the text begins like such a link.
    public static boolean isLink(String text) {
        return text.strip().regionMatches(true, 0, SCHEME, 0, SCHEME.length());
    }

    /// Reads a link of any form. Messages hold nothing of its user information.
    ///
    /// @throws Refusal with the reason
    public static ShadowsocksLink parse(String link) {
        String text = link.strip();
        if (!isLink(text)) {
            throw new Refusal("is not a link that begins with ss://", null);
        }
        if (text.length() > MOST_CHARACTERS) {
            throw new Refusal("is longer than " + MOST_CHARACTERS + " characters", null);
        }
        String rest = text.substring(SCHEME.length());
        int hash = rest.indexOf('#');
        String name =
                hash < 0 ? "" : LinkText.decodePercent(rest.substring(hash + 1).replace('+', ' '));
        rest = hash < 0 ? rest : rest.substring(0, hash);
        int question = rest.indexOf('?');
        String query = question < 0 ? "" : rest.substring(question + 1);
        rest = question < 0 ? rest : rest.substring(0, question);
        int at = rest.lastIndexOf('@');
        if (at < 0) {
            return parseOld(name, rest, query);
        }
        String[] user = userInformation(rest.substring(0, at));
        return of(name, user[0], user[1], rest.substring(at + 1), query);
    }

    /// The older form: everything in Base64, the password as it is.
    private static ShadowsocksLink parseOld(String name, String encoded, String query) {
        String text = LinkText.decodeBase64(LinkText.decodePercent(encoded));
        if (text == null && encoded.endsWith("/")) {
            text =
                    LinkText.decodeBase64(
                            LinkText.decodePercent(encoded.substring(0, encoded.length() - 1)));
        }
        int at = text == null ? -1 : text.lastIndexOf('@');
        if (text == null || at < 0) {
            throw new Refusal(
                    "has no @ and is not Base64 of method:password@server:port either", null);
        }
        String server = text.substring(at + 1);
        int question = server.indexOf('?');
        String inner = question < 0 ? "" : server.substring(question + 1);
        String[] user = split(text.substring(0, at));
        return of(
                name,
                user[0],
                user[1],
                bracketed(question < 0 ? server : server.substring(0, question)),
                query.isEmpty() ? inner : query);
    }

    /// The older form has IPv6 without brackets; behind its last colon stands the port.
    private static String bracketed(String server) {
        int last = server.lastIndexOf(':');
        return last > 0 && server.indexOf(':') < last && !server.startsWith("[")
                ? "[" + server.substring(0, last) + "]" + server.substring(last)
                : server;
    }

    private static String[] userInformation(String text) {
        if (text.indexOf(':') >= 0) {
            String[] user = split(text);
            return new String[] {LinkText.decodePercent(user[0]), LinkText.decodePercent(user[1])};
        }
        String decoded = LinkText.decodePercent(text);
        if (decoded.indexOf(':') >= 0) {
            return split(decoded);
        }
        String plain = LinkText.decodeBase64(decoded);
        if (plain == null) {
            throw new Refusal("has neither method:password nor Base64 of them before the @", null);
        }
        return split(plain);
    }

    private static String[] split(String text) {
        int colon = text.indexOf(':');
        if (colon < 0) {
            throw new Refusal("has no colon between method and password", null);
        }
        return new String[] {text.substring(0, colon), text.substring(colon + 1)};
    }

    private static ShadowsocksLink of(
            String name, String method, String password, String server, String query) {
        int slash = server.indexOf('/');
        String authority = slash < 0 ? server : server.substring(0, slash);
        int colon = authority.lastIndexOf(':');
        if (colon <= authority.lastIndexOf(']')) {
            throw new Refusal("has no port behind the server", null);
        }
        Map<String, String> values = query(query);
        String plugin = values.getOrDefault("plugin", "");
        int cut = endOfName(plugin);
        return new ShadowsocksLink(
                name,
                host(LinkText.decodePercent(authority.substring(0, colon))),
                port(authority.substring(colon + 1)),
                method.strip().toLowerCase(Locale.ROOT),
                Secret.of(password),
                plugin(plugin.substring(0, cut)),
                cut == plugin.length() ? "" : plugin.substring(cut + 1),
                isTrue(values.get("uot")) || isTrue(values.get("udp-over-tcp")));
    }

    /// IPv6 stands in brackets: without them, its last part and the port cannot be told apart.
    private static Host host(String text) {
        if (text.indexOf(':') >= 0 && !text.startsWith("[")) {
            throw new Refusal(
                    "names the server by IPv6 without brackets", "write [2001:db8::1]:8388");
        }
        try {
            return Host.parse(text);
        } catch (IllegalArgumentException fault) {
            throw new Refusal("names the server wrongly: " + fault.getMessage(), null);
        }
    }

    private static int port(String text) {
        if (text.matches("[0-9]{1,5}")) {
            int port = Integer.parseInt(text);
            if (port >= 1 && port <= 65_535) {
                return port;
            }
        }
        throw new Refusal(Shown.quoted(text) + " is not a port (1 to 65535)", null);
    }

    private static Map<String, String> query(String text) {
        Map<String, String> values = new HashMap<>();
        for (String pair : text.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                values.putIfAbsent(
                        pair.substring(0, equals),
                        LinkText.decodePercent(pair.substring(equals + 1)));
            }
        }
        return values;
    }

    /// The first `;` without a backslash before it, or the end.
    private static int endOfName(String plugin) {
        for (int i = 0; i < plugin.length(); i++) {
            if (plugin.charAt(i) == '\\') {
                i++;
            } else if (plugin.charAt(i) == ';') {
                return i;
            }
        }
        return plugin.length();
    }

    private static String plugin(String name) {
        String known = name.equals("simple-obfs") ? "obfs-local" : name;
        if (!known.isEmpty() && !PLUGINS.contains(known)) {
            throw new Refusal(
                    "asks for the plugin "
                            + Shown.quoted(name)
                            + ", and a link may start only "
                            + String.join(", ", PLUGINS),
                    "write the outbound into a configuration if you trust that program");
        }
        return known;
    }

    private static boolean isTrue(@Nullable String value) {
        return value != null && (value.equals("1") || value.equalsIgnoreCase("true"));
    }

    /// The link itself: Base64 for the older methods, which every reader knows, and the plain form
    /// for the 2022 edition and `none`, which SIP002 asks for.
    public String write() {
        StringBuilder link = new StringBuilder(SCHEME);
        if (method.startsWith("2022-") || method.equals("none")) {
            link.append(LinkText.encodePercent(method)).append(':');
            String[] keys = password.reveal().split(":", -1);
            for (int i = 0; i < keys.length; i++) {
                link.append(i == 0 ? "" : ":").append(LinkText.encodePercent(keys[i]));
            }
        } else {
            link.append(LinkText.encodeBase64(method + ":" + password.reveal()));
        }
        boolean needsBrackets = host instanceof IpAddress address && !address.isV4();
        link.append('@')
                .append(needsBrackets ? "[" + host + "]" : host.toString())
                .append(':')
                .append(port);
        String separator = "/?";
        if (!plugin.isEmpty()) {
            String value = pluginOptions.isEmpty() ? plugin : plugin + ";" + pluginOptions;
            link.append(separator).append("plugin=").append(LinkText.encodePercent(value));
            separator = "&";
        }
        if (udpOverTcp) {
            link.append(separator).append("uot=1");
        }
        if (!name.isEmpty()) {
            link.append('#').append(LinkText.encodePercent(name));
        }
        return link.toString();
    }

    /// The outbound that the link stands for.
    ///
    /// @param tag its tag
    /// @param place for messages about it
    public Mapping toOutbound(String tag, Place place) {
        List<Mapping.Entry> entries = new ArrayList<>();
        text(entries, place, "type", "shadowsocks");
        text(entries, place, "tag", tag);
        text(entries, place, "server", host.toString());
        entries.add(
                new Mapping.Entry(
                        "server_port",
                        place,
                        new Scalar(place, Scalar.Type.NUMBER, Integer.toString(port))));
        text(entries, place, "method", method);
        text(entries, place, "password", password.reveal());
        if (!plugin.isEmpty()) {
            text(entries, place, "plugin", plugin);
            text(entries, place, "plugin_opts", pluginOptions);
        }
        if (udpOverTcp) {
            entries.add(
                    new Mapping.Entry(
                            "udp_over_tcp", place, new Scalar(place, Scalar.Type.FLAG, "true")));
        }
        return new Mapping(place, entries);
    }

    /// The link of an outbound as it is written in a configuration.
    ///
    /// @param node of type `shadowsocks`, checked
    public static ShadowsocksLink ofOutbound(String tag, Mapping node) {
        return of(
                tag,
                Host.parse(textOr(node, "server", "")),
                node.value("server_port") instanceof Scalar port
                        ? Integer.parseInt(port.text())
                        : 0,
                node,
                textOr(node, "password", ""));
    }

    /// The links of an inbound, one for each user.
    ///
    /// @param host what clients reach this machine by
    /// @param node of type `shadowsocks`, checked
    public static List<ShadowsocksLink> ofInbound(String tag, Host host, int port, Mapping node) {
        String password = textOr(node, "password", "");
        ConfigNode users = node.value("users");
        List<ConfigNode> list =
                users instanceof Items items
                        ? items.values()
                        : users == null ? List.of() : List.of(users);
        boolean hasKeys = textOr(node, "method", "").startsWith("2022-");
        List<ShadowsocksLink> links = new ArrayList<>();
        for (ConfigNode each : list) {
            if (each instanceof Mapping user) {
                String own = textOr(user, "password", "");
                links.add(
                        of(
                                textOr(user, "name", tag),
                                host,
                                port,
                                node,
                                hasKeys && !password.isEmpty() ? password + ":" + own : own));
            }
        }
        return links.isEmpty() ? List.of(of(tag, host, port, node, password)) : links;
    }

    private static ShadowsocksLink of(
            String name, Host host, int port, Mapping node, String password) {
        ConfigNode overTcp = node.value("udp_over_tcp");
        boolean on =
                overTcp instanceof Scalar flag
                        ? flag.text().equals("true")
                        : overTcp instanceof Mapping object
                                && object.value("enabled") instanceof Scalar enabled
                                && enabled.text().equals("true");
        return new ShadowsocksLink(
                name,
                host,
                port,
                textOr(node, "method", "none").toLowerCase(Locale.ROOT),
                Secret.of(password),
                textOr(node, "plugin", ""),
                textOr(node, "plugin_opts", ""),
                on);
    }

    private static String textOr(Mapping node, String key, String otherwise) {
        String text = node.text(key);
        return text == null ? otherwise : text;
    }

    /// The configuration that runs links: a local port for SOCKS and HTTP, and an outbound for each
    /// link, the first of which everything goes through. Null after an error was reported.
    public static @Nullable Mapping configuration(List<String> links, Findings findings) {
        List<ConfigNode> outbounds = new ArrayList<>();
        for (int i = 0; i < links.size(); i++) {
            Place place = Place.of("link " + (i + 1));
            try {
                ShadowsocksLink link = parse(links.get(i));
                String tag = link.name().isBlank() ? "proxy" : link.name();
                outbounds.add(link.toOutbound(i == 0 ? tag : tag + " " + (i + 1), place));
            } catch (Refusal refusal) {
                findings.error(place, "", String.valueOf(refusal.getMessage()), refusal.mend());
            }
        }
        if (findings.hasErrors()) {
            return null;
        }
        Place place = Place.of("link");
        List<Mapping.Entry> inbound = new ArrayList<>();
        text(inbound, place, "type", "mixed");
        text(inbound, place, "tag", "mixed");
        text(inbound, place, "listen", "127.0.0.1");
        inbound.add(
                new Mapping.Entry(
                        "listen_port", place, new Scalar(place, Scalar.Type.NUMBER, "7890")));
        return new Mapping(
                place,
                List.of(
                        new Mapping.Entry(
                                "inbounds",
                                place,
                                new Items(place, List.of(new Mapping(place, inbound)))),
                        new Mapping.Entry("outbounds", place, new Items(place, outbounds))));
    }

    private static void text(List<Mapping.Entry> entries, Place place, String key, String value) {
        entries.add(new Mapping.Entry(key, place, new Scalar(place, Scalar.Type.TEXT, value)));
    }
}
