//! The little statistics that a report needs.

/// The 97.5th percentile of the standard normal distribution: 95 % lie between it and its negative.
const Z: f64 = 1.959_963_984_540_054;

/// The Wilson score interval for a share, with 95 % confidence: unlike the textbook's it is right for small
/// numbers too, and stays between 0 and 1. Nothing was tried: anything is possible.
pub(super) fn wilson(successes: u64, tries: u64) -> [f64; 2] {
    if tries == 0 {
        return [0.0, 1.0];
    }
    let (n, p) = (tries as f64, share(successes, tries));
    let spread = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    let [low, high] = [-spread, spread].map(|spread| (p + Z * Z / (2.0 * n) + spread) / (1.0 + Z * Z / n));
    // Where all or none succeed, one end is a share itself but for the last bit.
    [low.clamp(0.0, p), high.clamp(p, 1.0)]
}

/// A part of a whole, 0 to 1; of nothing, 0.
pub(super) fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// The least of some values, in ascending order, that so many in a hundred do not exceed: the nearest rank, so it
/// is one of them. None if there are none.
pub(super) fn percentile<T: Copy>(sorted: &[T], percent: u8) -> Option<T> {
    let rank = (sorted.len() * usize::from(percent)).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied()
}

/// The mean of some values; none if there are none.
pub(super) fn mean(values: &[u64]) -> Option<f64> {
    let sum: u128 = values.iter().map(|&value| u128::from(value)).sum();
    (!values.is_empty()).then(|| sum as f64 / values.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_the_one_in_the_literature() {
        // Newcombe, Two-sided confidence intervals for the single proportion (1998), table I, method 3.
        for (successes, tries, expected) in [
            (81, 263, ["0.2553", "0.3662"]),
            (15, 148, ["0.0624", "0.1605"]),
            (0, 20, ["0.0000", "0.1611"]),
            (1, 29, ["0.0061", "0.1718"]),
        ] {
            let interval = wilson(successes, tries).map(|end| format!("{end:.4}"));
            assert_eq!(interval, expected, "{successes}/{tries}");
        }
        assert_eq!(wilson(0, 0), [0.0, 1.0]);
    }

    #[test]
    fn the_interval_has_the_share_in_it_and_stays_within_nothing_and_all() {
        for tries in [1, 2, 3, 7, 100, 12_345, 10_000_000] {
            for successes in [0, 1, tries / 2, tries - 1, tries] {
                let ([low, high], p) = (wilson(successes, tries), share(successes, tries));
                assert!(0.0 <= low && low <= p && p <= high && high <= 1.0, "{successes}/{tries}: {low} {high}");
            }
        }
    }

    #[test]
    fn a_percentile_is_one_of_the_values() {
        let to_ten: Vec<u32> = (1..=10).collect();
        for (percent, expected) in [(0, 1), (10, 1), (11, 2), (25, 3), (50, 5), (75, 8), (90, 9), (99, 10), (100, 10)] {
            assert_eq!(percentile(&to_ten, percent), Some(expected), "{percent}");
        }
        assert_eq!(percentile(&[7], 50), Some(7));
        assert_eq!(percentile::<u32>(&[], 50), None);
    }

    #[test]
    fn a_mean_does_not_overflow() {
        assert_eq!(mean(&[u64::MAX, u64::MAX]), Some(u64::MAX as f64));
        assert_eq!(mean(&[1, 2]), Some(1.5));
        assert_eq!(mean(&[]), None);
    }
}
