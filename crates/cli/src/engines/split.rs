//! How a system is split into groups: by a strategy, or as the user says.

use suppose_compose::decompose::Strategy;
use suppose_model::lts::{ComponentKind, Network};

use crate::failure::Failure;

/// Groups of components.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Split {
    /// To be proposed for each property.
    By(Strategy),
    /// Given; every component is in exactly one.
    Groups(Vec<Vec<usize>>),
}

impl Split {
    /// Reads `auto`, `balanced`, `chain` or `A,B/C,D`.
    pub fn parse(text: &str, network: &Network) -> Result<Split, Failure> {
        Ok(match text {
            "auto" => Split::By(Strategy::Interface),
            "balanced" => Split::By(Strategy::Balanced),
            "chain" => Split::By(Strategy::Chain),
            _ => Split::Groups(groups(text, network)?),
        })
    }
}

fn groups(text: &str, network: &Network) -> Result<Vec<Vec<usize>>, Failure> {
    let mut free: Vec<usize> = (0..network.components.len()).collect();
    let mut groups = Vec::new();
    for part in split_outside(text, '/') {
        let mut group = Vec::new();
        for name in split_outside(part, ',') {
            let name = name.trim();
            let found = free.iter().position(|i| named(network, *i) == name);
            let Some(at) = found else {
                return Err(no_component(name, network));
            };
            group.push(free.remove(at));
        }
        groups.push(group);
    }
    place_environment(&mut free, &mut groups, network);
    if let Some(left) = free.first() {
        let name = named(network, *left);
        return Err(Failure::usage(format!(
            "component `{name}` is in no group of --split"
        )));
    }
    if groups.len() < 2 {
        let message = "--split needs two groups at least";
        return Err(Failure::usage(message).help("separate them with `/`, as in `A,B/C`"));
    }
    Ok(groups)
}

/// The environment of a property goes with the group that is checked against it.
fn place_environment(free: &mut Vec<usize>, groups: &mut [Vec<usize>], network: &Network) {
    let is_environment = |i: &usize| network.components[*i].kind == ComponentKind::Environment;
    if let Some(first) = groups.first_mut() {
        first.extend(free.iter().copied().filter(is_environment));
        free.retain(|i| !is_environment(i));
    }
}

fn no_component(name: &str, network: &Network) -> Failure {
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
    Failure::usage(message).help(format!("the components are {shown}"))
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
        let split = Split::parse("R , a.P(1,2)/b:Q", &it).unwrap();
        assert_eq!(split, Split::Groups(vec![vec![2, 0], vec![1]]));
    }

    #[test]
    fn every_component_is_in_exactly_one_group() {
        let it = network(&["P", "Q", "P"]);
        assert!(Split::parse("P/P,Q", &it).is_ok());
        for bad in ["P/Q", "P,Q/P/P", "P/P,X", "P,P,Q", "", "/"] {
            assert!(Split::parse(bad, &it).is_err(), "{bad}");
        }
    }
}
