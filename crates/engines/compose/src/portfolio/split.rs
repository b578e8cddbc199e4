//! How a system is split into groups: by a strategy, or as the user says.

use suppose_control::Refusal;
use suppose_model::lts::{ComponentKind, Network};

use crate::decompose::Strategy;

/// Groups of components.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Split {
    /// Two groups in a small system, else a chain of single components.
    #[default]
    Fitting,
    /// To be proposed for each property.
    By(Strategy),
    /// Given; every component is in exactly one.
    Groups(Vec<Vec<usize>>),
}

impl Split {
    /// Reads `auto` (which is `otherwise`), `chain`, `interface`, `balanced` or `A,B/C,D`.
    pub fn parse(text: &str, otherwise: Split, network: &Network) -> Result<Split, Refusal> {
        Ok(match text {
            "auto" => otherwise,
            "interface" => Split::By(Strategy::Interface),
            "balanced" => Split::By(Strategy::Balanced),
            "chain" => Split::By(Strategy::Chain),
            _ => Split::Groups(groups(text, network)?),
        })
    }
}

/// Names in full are placed first, then those with a `*` for any text, then `*` alone, which is
/// all the rest: so `SERVER/*` means what it seems to.
fn groups(text: &str, network: &Network) -> Result<Vec<Vec<usize>>, Refusal> {
    let parts = split_outside(text, '/').into_iter();
    let wanted: Vec<Vec<&str>> = parts
        .map(|part| split_outside(part, ',').iter().map(|n| n.trim()).collect())
        .collect();
    let mut free: Vec<usize> = network.processes();
    let mut groups = vec![Vec::new(); wanted.len()];
    for vagueness in 0..3 {
        for (group, names) in groups.iter_mut().zip(&wanted) {
            for name in names.iter().filter(|n| vague(n) == vagueness) {
                take(name, &mut free, group, network)?;
            }
        }
    }
    if let Some(left) = free.first() {
        let name = named(network, *left);
        let message = format!("component `{name}` is in no group of --split");
        let help = "`*` stands for all that are left, as in `A,B/*`";
        return Err(Refusal::new(message, help));
    }
    if groups.len() < 2 {
        let message = "--split needs two groups at least";
        return Err(Refusal::new(
            message,
            "separate them with `/`, as in `A,B/C`",
        ));
    }
    place_environment(&mut groups, network);
    Ok(groups)
}

fn vague(name: &str) -> u8 {
    match name {
        "*" => 2,
        name if name.contains('*') => 1,
        _ => 0,
    }
}

/// Moves what has the name into the group: one component, or all that match a pattern.
fn take(
    name: &str,
    free: &mut Vec<usize>,
    group: &mut Vec<usize>,
    network: &Network,
) -> Result<(), Refusal> {
    let found = free
        .iter()
        .copied()
        .filter(|i| matches(name, named(network, *i)));
    let limit = if vague(name) == 0 { 1 } else { usize::MAX };
    let found: Vec<usize> = found.take(limit).collect();
    if found.is_empty() {
        return Err(no_component(name, network));
    }
    free.retain(|i| !found.contains(i));
    group.extend(found);
    Ok(())
}

/// Does the text match a pattern in which `*` stands for any text?
fn matches(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or("");
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let Some(last) = pieces.next_back() else {
        return rest.is_empty();
    };
    for piece in pieces {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// The environment of a property goes with the group that is checked against it.
fn place_environment(groups: &mut [Vec<usize>], network: &Network) {
    let environment = (0..network.components.len())
        .filter(|i| network.components[*i].kind == ComponentKind::Environment);
    if let Some(first) = groups.first_mut() {
        first.extend(environment);
    }
}

fn no_component(name: &str, network: &Network) -> Refusal {
    let names: Vec<&str> = network
        .processes()
        .into_iter()
        .map(|i| named(network, i))
        .collect();
    let message = if names.contains(&name) {
        format!("component `{name}` is in --split more often than in the system")
    } else {
        format!("--split names `{name}`, which is no component")
    };
    let mut shown = names.join(", ");
    if shown.chars().count() > 400 {
        shown = shown.chars().take(400).chain(['…']).collect();
    }
    Refusal::new(message, format!("the components are {shown}"))
}

fn named(network: &Network, component: usize) -> &str {
    network.components[component].lts.name()
}

/// Splits at a character, but not inside brackets: names such as `{a,b}:P` and `P(1,2)` stay whole.
fn split_outside(text: &str, at: char) -> Vec<&str> {
    let (mut depth, mut start) = (0i32, 0);
    let mut parts = Vec::new();
    for (i, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            c if c == at && depth <= 0 => {
                parts.push(&text[start..i]);
                start = i + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use suppose_model::lts::{Labels, LtsBuilder};

    fn network(names: &[&str]) -> Network {
        let mut network = Network::new("s", Labels::new());
        for name in names {
            network.add_component(LtsBuilder::new(*name).build());
        }
        network
    }

    #[test]
    fn groups_are_read_by_name() {
        let it = network(&["a.P(1,2)", "b:Q", "R"]);
        let split = Split::parse("R , a.P(1,2)/b:Q", Split::Fitting, &it).unwrap();
        assert_eq!(split, Split::Groups(vec![vec![2, 0], vec![1]]));
    }

    #[test]
    fn stars_stand_for_what_is_left() {
        let it = network(&["c.1:P", "S", "c.2:P", "c.1:Q"]);
        let groups = |text| Split::parse(text, Split::Fitting, &it).unwrap();
        assert_eq!(groups("*/S"), Split::Groups(vec![vec![0, 2, 3], vec![1]]));
        assert_eq!(
            groups("c.*:P/*"),
            Split::Groups(vec![vec![0, 2], vec![1, 3]])
        );
        assert_eq!(
            groups("*/c.1*"),
            Split::Groups(vec![vec![1, 2], vec![0, 3]])
        );
        assert!(matches("a*b*c", "aXbYc") && matches("a*", "a") && !matches("a*ba", "aba b"));
        assert!(!matches("ab*ba", "aba"));
    }

    #[test]
    fn every_component_is_in_exactly_one_group() {
        let it = network(&["P", "Q", "P"]);
        assert!(Split::parse("P/P,Q", Split::Fitting, &it).is_ok());
        assert!(Split::parse("P,P,Q/*", Split::Fitting, &it).is_err());
        for bad in ["P/Q", "P,Q/P/P", "P/P,X", "P,P,Q", "", "/"] {
            assert!(Split::parse(bad, Split::Fitting, &it).is_err(), "{bad}");
        }
    }
}
