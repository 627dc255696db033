package sluice.policy.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import sluice.base.config.ConfigNode;
import sluice.base.config.ConfigNode.Items;
import sluice.base.config.ConfigNode.Mapping;
import sluice.base.config.ConfigNode.Scalar;
import sluice.base.config.Findings;
import sluice.base.config.Place;
import sluice.base.net.Destination;
import sluice.base.net.Endpoint;
import sluice.base.net.Host;
import sluice.base.net.IpAddress;

/// Rules and facts for tests, written short.
final class Rules {

    private Rules() {}

    /// A router from the insides of `rules: […]` and the value of `final`.
    static Router router(String rules, String last) {
        return Router.of(options("{rules: [" + rules + "], final: " + last + "}"), "first");
    }

    /// Reads `route`; fails with the report where something is wrong.
    static RouteOptions options(String text) {
        Findings findings = new Findings();
        RouteOptions options = RouteOptions.SHAPE.read(parse(text), "route", findings);
        assertThat(findings.all()).as(findings.report()).isEmpty();
        assertThat(options).isNotNull();
        return options;
    }

    /// What is wrong with `route`.
    static Findings findings(String text) {
        Findings findings = new Findings();
        RouteOptions.SHAPE.read(parse(text), "route", findings);
        return findings;
    }

    static FlowFacts tcp(String host, int port) {
        return facts("in", Network.STREAM, host, port, "127.0.0.1", 40_000, null);
    }

    static FlowFacts udp(String host, int port) {
        return facts("in", Network.DATAGRAM, host, port, "127.0.0.1", 40_000, null);
    }

    static FlowFacts facts(
            String inbound,
            Network network,
            String host,
            int port,
            String source,
            int sourcePort,
            String user) {
        return FlowFacts.of(
                inbound,
                network,
                new Destination(Host.parse(host), port),
                new Endpoint(IpAddress.parseOrNull(source), sourcePort),
                user);
    }

    /// Reads a small dialect of JSON: plain keys, text in single quotes. The column is the offset.
    static ConfigNode parse(String text) {
        Reader reader = new Reader(text);
        ConfigNode node = reader.value();
        reader.blanks();
        assertThat(reader.at).as("end of %s", text).isEqualTo(text.length());
        return node;
    }

    private static final class Reader {
        private final String text;
        private int at;

        Reader(String text) {
            this.text = text;
        }

        ConfigNode value() {
            blanks();
            Place place = place();
            char c = text.charAt(at);
            if (c == '{') {
                at++;
                return mapping(place);
            }
            if (c == '[') {
                at++;
                List<ConfigNode> values = new ArrayList<>();
                while (!closes(']')) {
                    values.add(value());
                }
                return new Items(place, values);
            }
            if (c == '\'') {
                int end = text.indexOf('\'', at + 1);
                String body = text.substring(at + 1, end);
                at = end + 1;
                return new Scalar(place, Scalar.Type.TEXT, body, null);
            }
            String word = word();
            Scalar.Type type =
                    word.equals("true") || word.equals("false")
                            ? Scalar.Type.FLAG
                            : Scalar.Type.NUMBER;
            return new Scalar(place, type, word, null);
        }

        private Mapping mapping(Place place) {
            List<Mapping.Entry> entries = new ArrayList<>();
            while (!closes('}')) {
                blanks();
                Place keyPlace = place();
                String key = word();
                assertThat(text.charAt(at)).isEqualTo(':');
                at++;
                entries.add(new Mapping.Entry(key, keyPlace, value()));
            }
            return new Mapping(place, entries);
        }

        private boolean closes(char bracket) {
            blanks();
            if (text.charAt(at) == ',') {
                at++;
                blanks();
            }
            if (text.charAt(at) != bracket) {
                return false;
            }
            at++;
            return true;
        }

        private String word() {
            int start = at;
            while (at < text.length() && ":,]} ".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            return text.substring(start, at);
        }

        private void blanks() {
            while (at < text.length() && text.charAt(at) == ' ') {
                at++;
            }
        }

        private Place place() {
            return new Place("test", 1, at + 1);
        }
    }
}
