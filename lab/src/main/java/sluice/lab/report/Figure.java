package sluice.lab.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import sluice.lab.judge.Interval;
import sluice.lab.judge.Reading.Figures;

/// Numbers as text, the same in every country: three significant digits or whole numbers, commas
/// between thousands.
final class Figure {
    private Figure() {}

    /// A measured figure.
    static String text(double value) {
        BigDecimal exact = BigDecimal.valueOf(value);
        double size = Math.abs(value);
        if (size >= 100) {
            return grouped(exact.setScale(0, RoundingMode.HALF_UP).toPlainString());
        }
        if (size >= 10) {
            return exact.setScale(1, RoundingMode.HALF_UP).toPlainString();
        }
        if (size >= 1) {
            return exact.setScale(2, RoundingMode.HALF_UP).toPlainString();
        }
        if (value == 0) {
            return "0";
        }
        return exact.round(new MathContext(3, RoundingMode.HALF_UP)).toPlainString();
    }

    /// A ratio, two decimals, with a sign of multiplication.
    static String ratio(double value) {
        return decimals(value) + "×";
    }

    /// Both ends of an interval of ratios.
    static String interval(Interval interval) {
        return decimals(interval.low()) + "–" + ratio(interval.high());
    }

    /// The least and the greatest figure.
    static String spread(Figures figures) {
        return text(figures.min()) + "–" + text(figures.max());
    }

    private static String decimals(double value) {
        if (!Double.isFinite(value) || value >= 1e6) {
            return "over 1,000,000";
        }
        BigDecimal exact = BigDecimal.valueOf(value);
        return value >= 100
                ? text(value)
                : exact.setScale(value < 0.1 ? 3 : 2, RoundingMode.HALF_UP).toPlainString();
    }

    private static String grouped(String digits) {
        return digits.replaceAll("(?<=\\d)(?=(\\d{3})+$)", ",");
    }
}
