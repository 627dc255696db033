package sluice.app.config;

import java.util.ArrayList;
import java.util.List;
import sluice.app.config.JsonLexer.Token;
import sluice.base.config.ConfigNode;
import sluice.base.config.ConfigNode.Items;
import sluice.base.config.ConfigNode.Mapping;
import sluice.base.config.ConfigNode.Scalar;
import sluice.base.config.Place;
import sluice.base.config.Shown;

/// Reads JSON (RFC 8259) with comments and trailing commas into a tree with places.
final class JsonReader {

    /// Chosen: a rule made of rules needs a dozen levels; the reader calls itself once per level.
    static final int MOST_LEVELS = 100;

    private final JsonLexer lexer;
    private Token token = Token.END;
    private int levels;

    private JsonReader(SourceText source) {
        lexer = new JsonLexer(source);
    }

    /// Reads a whole file.
    ///
    /// @throws SyntaxFault where it is not JSON
    static ConfigNode read(SourceText source) {
        JsonReader reader = new JsonReader(source);
        reader.advance();
        if (reader.token == Token.END) {
            throw reader.lexer.fault("is empty", "write {} for the least configuration");
        }
        ConfigNode root = reader.value();
        if (reader.token != Token.END) {
            throw reader.lexer.fault(
                    reader.shown() + " behind the end of the configuration",
                    "a file holds one object; check the brackets above");
        }
        return root;
    }

    private void advance() {
        do {
            token = lexer.next();
        } while (token == Token.COMMENT);
    }

    /// Reads the value that begins with the present token, and goes to the token behind it.
    private ConfigNode value() {
        Place place = lexer.place();
        return switch (token) {
            case OPEN_OBJECT -> object(place);
            case OPEN_LIST -> list(place);
            case TEXT -> scalar(place, Scalar.Type.TEXT, lexer.value());
            case NUMBER -> scalar(place, Scalar.Type.NUMBER, lexer.value());
            case TRUE -> scalar(place, Scalar.Type.FLAG, "true");
            case FALSE -> scalar(place, Scalar.Type.FLAG, "false");
            case NULL -> scalar(place, Scalar.Type.NULL, "");
            case END -> throw lexer.fault("the file ends where a value is expected", null);
            case CLOSE_OBJECT, CLOSE_LIST, COLON, COMMA, COMMENT ->
                    throw lexer.fault(shown() + " where a value is expected", null);
        };
    }

    private ConfigNode scalar(Place place, Scalar.Type type, String text) {
        advance();
        return new Scalar(place, type, text);
    }

    private ConfigNode object(Place open) {
        enter();
        List<Mapping.Entry> entries = new ArrayList<>();
        advance();
        while (token != Token.CLOSE_OBJECT) {
            if (token != Token.TEXT) {
                throw token == Token.END
                        ? notClosed("object", "}", open)
                        : lexer.fault(
                                shown() + " where a key is expected",
                                "keys stand in double quotes");
            }
            Place keyPlace = lexer.place();
            String key = lexer.value();
            advance();
            if (token != Token.COLON) {
                throw lexer.fault(
                        shown() + " where a colon is expected behind " + Shown.quoted(key), null);
            }
            advance();
            entries.add(new Mapping.Entry(key, keyPlace, value()));
            separator(Token.CLOSE_OBJECT, "object", "}", open);
        }
        levels--;
        advance();
        return new Mapping(open, entries);
    }

    private ConfigNode list(Place open) {
        enter();
        List<ConfigNode> values = new ArrayList<>();
        advance();
        while (token != Token.CLOSE_LIST) {
            if (token == Token.END) {
                throw notClosed("list", "]", open);
            }
            values.add(value());
            separator(Token.CLOSE_LIST, "list", "]", open);
        }
        levels--;
        advance();
        return new Items(open, values);
    }

    private void separator(Token close, String what, String bracket, Place open) {
        if (token == Token.COMMA) {
            advance();
        } else if (token == Token.END) {
            throw notClosed(what, bracket, open);
        } else if (token != close) {
            throw lexer.fault(
                    shown() + " where a comma or " + bracket + " is expected",
                    "add a comma behind the value before it");
        }
    }

    private SyntaxFault notClosed(String what, String bracket, Place open) {
        return lexer.fault(
                "the file ends inside the " + what + " that begins at " + open, "add " + bracket);
    }

    private void enter() {
        if (++levels > MOST_LEVELS) {
            throw lexer.fault("more than " + MOST_LEVELS + " levels of brackets", null);
        }
    }

    private String shown() {
        return switch (token) {
            case END -> "the end of the file";
            case TEXT -> Shown.quoted(lexer.value());
            default -> Shown.plain(lexer.written());
        };
    }
}
