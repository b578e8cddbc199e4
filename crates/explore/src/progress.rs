//! How far a search is, for people.

use suppose_number::grouped;

/// The round in a few words: the layer, how much of it is expanded, and how many states there will be.
pub(crate) fn round(layers: &[u64], expanded: u64, disk: u64) -> String {
    let size = layers.last().copied().unwrap_or(0);
    let percent = (expanded * 100).checked_div(size).unwrap_or(100);
    let mut words = vec![format!(
        "depth {}: {percent} % of {} states expanded",
        layers.len().saturating_sub(1),
        grouped(size)
    )];
    if disk > 0 {
        words.push(format!("{} MiB on disk", grouped(disk >> 20)));
    }
    words.push(match estimate(layers) {
        Some((low, high)) => format!(
            "{} to {} states in all, if layers go on shrinking",
            grouped(low),
            grouped(high)
        ),
        None => "layers still grow".to_owned(),
    });
    words.join(", ")
}

/// How many states there will be in all, at least and at most, if layers go on shrinking as the last ones did. None if they grow.
fn estimate(layers: &[u64]) -> Option<(u64, u64)> {
    let [.., a, b, c] = layers else {
        return None;
    };
    let ratios = [*b as f64 / *a as f64, *c as f64 / *b as f64];
    let (low, high) = (ratios[0].min(ratios[1]), ratios[0].max(ratios[1]));
    if high >= 1.0 {
        return None;
    }
    let found: u64 = layers.iter().sum();
    let left = |ratio: f64| (*c as f64 * ratio / (1.0 - ratio)) as u64;
    Some((found + left(low), found + left(high)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_shrinking_layers_are_foreseen() {
        assert_eq!(estimate(&[1, 10, 100]), None);
        assert_eq!(estimate(&[1000, 500, 250]), Some((2000, 2000)));
        assert_eq!(estimate(&[1000, 800, 400]), Some((2600, 3800)));
        let words = round(&[1000, 800, 400], 100, 5 << 20);
        assert_eq!(
            words,
            "depth 2: 25 % of 400 states expanded, 5 MiB on disk, 2,600 to 3,800 states in all, if layers go on shrinking"
        );
        assert!(round(&[1, 2, 4], 4, 0).ends_with("100 % of 4 states expanded, layers still grow"));
    }
}
