package sluice.lab.judge;

import java.util.List;

/// Where a ratio lies with 95 % confidence, as far as the rounds tell.
///
/// @param low its lower end
/// @param high its upper end
public record Interval(double low, double high) {

    /// Two-sided 95 % critical values of Student's t distribution for 1, 2 … 30 degrees of freedom.
    /// Source: NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2, column 0.975.
    private static final double[] T_95 = {
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
        2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
        2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042
    };

    /// The critical value for a number of degrees of freedom. Beyond the table that of its end,
    /// which makes an interval a little too wide and never too narrow.
    ///
    /// @param freedom at least 1
    static double criticalValue(int freedom) {
        return T_95[Math.min(freedom, T_95.length) - 1];
    }

    /// The interval of the mean of paired ratios: Student's t over their logarithms, because a
    /// ratio and its inverse must weigh the same.
    ///
    /// @param ratios one per round, above 0, at least two
    static Interval ofRatios(List<Double> ratios) {
        int count = ratios.size();
        double mean = ratios.stream().mapToDouble(Math::log).sum() / count;
        double squares =
                ratios.stream()
                        .mapToDouble(Math::log)
                        .map(each -> (each - mean) * (each - mean))
                        .sum();
        double half = criticalValue(count - 1) * Math.sqrt(squares / (count - 1) / count);
        return new Interval(Math.exp(mean - half), Math.exp(mean + half));
    }

    /// Whether a ratio of `value` is possible by what was measured.
    public boolean contains(double value) {
        return low <= value && value <= high;
    }
}
