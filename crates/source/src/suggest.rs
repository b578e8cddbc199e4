//! Spelling suggestions.

/// The candidate nearest to a name, if it is near enough to be a typing error.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const LONGEST: usize = 64;
    let allowed = name.chars().count().div_ceil(3).min(3);
    candidates
        .into_iter()
        .filter(|c| c.len() <= LONGEST && name.len() <= LONGEST && *c != name)
        .map(|c| (distance(name, c), c))
        .filter(|(d, c)| *d <= allowed && *d < name.len().min(c.len()))
        .min()
        .map(|(_, c)| c)
}

/// Levenshtein distance, letter case ignored.
fn distance(a: &str, b: &str) -> usize {
    let lower = |s: &str| s.to_lowercase().chars().collect::<Vec<_>>();
    let (a, b) = (lower(a), lower(b));
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_slips_but_not_other_names() {
        assert_eq!(nearest("PHILL", ["FORK", "PHIL"]), Some("PHIL"));
        assert_eq!(nearest("Buff", ["BUFF", "USER"]), Some("BUFF"));
        assert_eq!(nearest("A", ["READERS", "B"]), None);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
