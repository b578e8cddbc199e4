//! Büchi automata as `never` claims of PROMELA.

use std::fmt::Write;

use super::{Buchi, Cube, MAX_ATOMS};

/// An automaton as a `never` claim, as SPIN's own translation is written: it begins with the initial state, and states whose names
/// begin with `accept` are accepting. Atoms are names or expressions of the program; those without a name are `p` and their number.
pub fn write(automaton: &Buchi, comment: &str, atoms: &[String]) -> String {
    let mut out = format!("never {{ /* {} */\n", comment.replace("*/", "* /"));
    let initial = automaton.initial as usize;
    let others = (0..automaton.edges.len()).filter(|state| *state != initial);
    for state in std::iter::once(initial).chain(others) {
        let name = name(automaton, state);
        let edges = &automaton.edges[state];
        if name == ALL {
            let _ = write!(out, "{name}:\n\tskip;\n\tgoto {name};\n");
            continue;
        }
        if edges.is_empty() {
            let _ = write!(out, "{name}:\n\tfalse;\n");
            continue;
        }
        let _ = write!(out, "{name}:\n\tdo\n");
        for (guard, target) in edges {
            let target = self::name(automaton, *target as usize);
            let _ = writeln!(out, "\t:: {} -> goto {target}", shown(*guard, atoms));
        }
        out.push_str("\tod;\n");
    }
    out.push_str("}\n");
    out
}

const ALL: &str = "accept_all";

fn name(automaton: &Buchi, state: usize) -> String {
    let accepting = automaton.accepting[state];
    let initial = automaton.initial as usize == state;
    let all = automaton.edges[state] == [(Cube::TRUE, state as u32)];
    match (accepting, initial) {
        (true, _) if all && !all_before(automaton, state) => ALL.to_owned(),
        (true, true) => "accept_init".to_owned(),
        (true, false) => format!("accept_S{state}"),
        (false, true) => "T0_init".to_owned(),
        (false, false) => format!("T0_S{state}"),
    }
}

/// Is there a state before this one that accepts everything too?
fn all_before(automaton: &Buchi, state: usize) -> bool {
    (0..state).any(|s| automaton.accepting[s] && automaton.edges[s] == [(Cube::TRUE, s as u32)])
}

fn shown(guard: Cube, atoms: &[String]) -> String {
    let named = |atom: u32| match atoms.get(atom as usize) {
        Some(name) if name.chars().all(|c| c.is_alphanumeric() || c == '_') => name.clone(),
        Some(expression) => format!("({expression})"),
        None => format!("p{atom}"),
    };
    let literal = |atom: u32| match (guard.positive >> atom & 1, guard.negative >> atom & 1) {
        (1, _) => Some(named(atom)),
        (_, 1) => Some(format!("!{}", named(atom))),
        _ => None,
    };
    let literals: Vec<String> = (0..MAX_ATOMS).filter_map(literal).collect();
    match literals.is_empty() {
        true => "(1)".to_owned(),
        false => format!("({})", literals.join(" && ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ltl::{Formulas, parse};

    fn never(text: &str) -> String {
        let mut formulas = Formulas::default();
        let mut names = Vec::new();
        let root = parse(text, &mut formulas, &mut names).unwrap();
        let automaton = Buchi::of(&formulas, root).unwrap();
        write(&automaton, text, &names)
    }

    #[test]
    fn states_and_edges_are_those_of_the_automaton() {
        let text = never("<> [] p");
        let expected = "never { /* <> [] p */
T0_init:
\tdo
\t:: (1) -> goto T0_init
\t:: (p) -> goto accept_S1
\tod;
accept_S1:
\tdo
\t:: (p) -> goto accept_S1
\tod;
}
";
        assert_eq!(text, expected);
        assert!(never("<> p").contains("accept_all:\n\tskip;\n\tgoto accept_all;\n"));
        assert!(never("p && !p").contains("T0_init:\n\tfalse;\n"));
        assert!(never("true").starts_with("never { /* true */\naccept_all:\n"));
    }
}
