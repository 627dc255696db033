package sluice.base.net;

/// Small numbers in addresses, read more strictly than the JDK does: ASCII digits alone, no sign,
/// no leading zero.
final class Decimal {

    private Decimal() {}

    /// Reads all of `text` from index `from` on; -1 where it is no number from 0 to `most`.
    ///
    /// @param most at most 99,999
    static int parseOrMinus(String text, int from, int most) {
        int digits = text.length() - from;
        if (digits < 1 || digits > 5 || (digits > 1 && text.charAt(from) == '0')) {
            return -1;
        }
        int value = 0;
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            value = value * 10 + (c - '0');
        }
        return value <= most ? value : -1;
    }
}
