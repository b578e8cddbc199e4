//! Automata in the Hanoi omega-automata format, version 1 (Babiak et al., "The Hanoi Omega-Automata Format", CAV 2015).
//!
//! What is written is a Büchi automaton with acceptance of states. What is read has the acceptance `t`, `Inf(0)`, or a conjunction
//! of such, of states or of transitions, one initial state, and explicit labels; the rest of the format is refused by name.

use std::fmt::Write;

use super::buchi::Buchi;
use super::generalised::{Edge, Generalised};
use super::{Cube, MAX_ATOMS};

/// Text that is no automaton of the kinds that are read: the line, from 1, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoaError {
    /// From 1.
    pub line: usize,
    /// The error message.
    pub message: String,
}

/// An automaton as text. Atoms have these names, or `p` and their number.
pub fn write(automaton: &Buchi, name: &str, atoms: &[String]) -> String {
    let mut used = automaton.edges.iter().flatten();
    let used = used.try_fold(0, |all: u128, (g, _)| Some(all | g.positive | g.negative));
    let count = (u128::BITS - used.unwrap_or(0).leading_zeros()).max(atoms.len() as u32);
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let mut out = String::from("HOA: v1\n");
    let _ = writeln!(out, "name: {}", quoted(name));
    let _ = writeln!(
        out,
        "States: {}\nStart: {}",
        automaton.edges.len(),
        automaton.initial
    );
    let _ = write!(out, "AP: {count}");
    for atom in 0..count {
        let name = atoms.get(atom as usize).cloned();
        let _ = write!(
            out,
            " {}",
            quoted(&name.unwrap_or_else(|| format!("p{atom}")))
        );
    }
    out.push_str("\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n");
    out.push_str("properties: trans-labels explicit-labels state-acc\n--BODY--\n");
    for (state, edges) in automaton.edges.iter().enumerate() {
        let mark = if automaton.accepting[state] {
            " {0}"
        } else {
            ""
        };
        let _ = writeln!(out, "State: {state}{mark}");
        for (guard, target) in edges {
            let _ = writeln!(out, "[{}] {target}", shown(*guard));
        }
    }
    out.push_str("--END--\n");
    out
}

fn shown(guard: Cube) -> String {
    let literal = |atom: u32| match (guard.positive >> atom & 1, guard.negative >> atom & 1) {
        (1, _) => Some(format!("{atom}")),
        (_, 1) => Some(format!("!{atom}")),
        _ => None,
    };
    let literals: Vec<String> = (0..MAX_ATOMS).filter_map(literal).collect();
    match literals.is_empty() {
        true => "t".to_owned(),
        false => literals.join(" & "),
    }
}

/// Reads an automaton and the names of its atoms.
pub fn read(text: &str) -> Result<(Generalised, Vec<String>), HoaError> {
    let mut reader = Reader {
        text,
        at: 0,
        line: 1,
        atoms: Vec::new(),
        initial: 0,
        sets: 0,
        states: None,
    };
    reader.header()?;
    let edges = reader.body()?;
    let automaton = Generalised {
        edges,
        initial: reader.initial,
        sets: reader.sets,
    };
    let count = automaton.edges.len() as u32;
    let mut targets = automaton.edges.iter().flatten();
    if automaton.initial >= count || targets.any(|e| e.target >= count) {
        return reader.fail("there is an edge or a start without its state");
    }
    Ok((automaton, reader.atoms))
}

const STATES: u32 = 1 << 20;
/// Labels are expanded to disjunctions of at most that many cubes.
const CUBES: usize = 1 << 10;

struct Reader<'t> {
    text: &'t str,
    at: usize,
    line: usize,
    atoms: Vec<String>,
    initial: u32,
    sets: u32,
    states: Option<u32>,
}

type Read<T> = Result<T, HoaError>;

impl<'t> Reader<'t> {
    fn fail<T>(&self, message: impl Into<String>) -> Read<T> {
        Err(HoaError {
            line: self.line,
            message: message.into(),
        })
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn spaces(&mut self) {
        while let Some(c) = self.rest().chars().next().filter(|c| c.is_whitespace()) {
            self.line += usize::from(c == '\n');
            self.at += c.len_utf8();
        }
    }

    fn eat(&mut self, symbol: &str) -> bool {
        self.spaces();
        let found = self.rest().starts_with(symbol);
        self.at += if found { symbol.len() } else { 0 };
        found
    }

    fn expect(&mut self, symbol: &str) -> Read<()> {
        match self.eat(symbol) {
            true => Ok(()),
            false => self.fail(format!("expected `{symbol}`")),
        }
    }

    fn word(&mut self) -> &'t str {
        self.spaces();
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '-' && c != '_');
        let word = &rest[..end.unwrap_or(rest.len())];
        self.at += word.len();
        word
    }

    fn number(&mut self) -> Read<u32> {
        self.spaces();
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_digit());
        let digits = &rest[..end.unwrap_or(rest.len())];
        match digits.parse() {
            Ok(number) => {
                self.at += digits.len();
                Ok(number)
            }
            Err(_) => self.fail("expected a number"),
        }
    }

    fn string(&mut self) -> Read<String> {
        self.expect("\"")?;
        let mut out = String::new();
        let mut escaped = false;
        for c in self.rest().chars() {
            self.at += c.len_utf8();
            match c {
                _ if escaped => out.push(c),
                '\\' => {
                    escaped = true;
                    continue;
                }
                '"' => return Ok(out),
                _ => out.push(c),
            }
            escaped = false;
        }
        self.fail("a text is not closed")
    }

    fn header(&mut self) -> Read<()> {
        self.expect("HOA:")?;
        self.expect("v1")?;
        while !self.eat("--BODY--") {
            let item = self.word();
            self.expect(":")?;
            match item {
                "States" => self.states = Some(self.number()?),
                "Start" => self.initial = self.number()?,
                "AP" => {
                    let count = self.number()?;
                    if count > MAX_ATOMS {
                        return self.fail(format!("more than {MAX_ATOMS} atoms"));
                    }
                    for _ in 0..count {
                        let name = self.string()?;
                        self.atoms.push(name);
                    }
                }
                "Acceptance" => self.acceptance()?,
                "Alias" => return self.fail("aliases are not supported"),
                _ => self.skip_item()?,
            }
        }
        Ok(())
    }

    /// To the next word that is followed by a colon, or the body.
    fn skip_item(&mut self) -> Read<()> {
        loop {
            self.spaces();
            let rest = self.rest();
            if rest.is_empty() {
                return self.fail("the header is not followed by `--BODY--`");
            }
            if rest.starts_with("--BODY--") {
                return Ok(());
            }
            if rest.starts_with('"') {
                self.string()?;
                continue;
            }
            let (at, line) = (self.at, self.line);
            if !self.word().is_empty() {
                if self.rest().starts_with(':') {
                    (self.at, self.line) = (at, line);
                    return Ok(());
                }
                continue;
            }
            self.at += rest.chars().next().map_or(0, char::len_utf8);
        }
    }

    fn acceptance(&mut self) -> Read<()> {
        self.sets = self.number()?;
        if self.sets > 128 {
            return self.fail("more than 128 acceptance sets");
        }
        if self.eat("t") {
            self.sets = 0;
            return Ok(());
        }
        let mut named = vec![false; self.sets as usize];
        loop {
            let open = self.eat("(");
            self.expect("Inf(")?;
            let set = self.number()?;
            self.expect(")")?;
            if open {
                self.expect(")")?;
            }
            match named.get_mut(set as usize) {
                Some(seen) => *seen = true,
                None => return self.fail(format!("there is no acceptance set {set}")),
            }
            if !self.eat("&") {
                break;
            }
        }
        match self.rest().trim_start().starts_with(['|', 'F', 'f']) || named.contains(&false) {
            true => self.fail("only conjunctions of `Inf` over all acceptance sets are supported"),
            false => Ok(()),
        }
    }

    fn body(&mut self) -> Read<Vec<Vec<Edge>>> {
        let mut edges: Vec<Vec<Edge>> = Vec::new();
        if let Some(states) = self.states {
            if states > STATES {
                return self.fail(format!("more than {STATES} states"));
            }
            edges.resize(states as usize, Vec::new());
        }
        let mut now: Option<(u32, u128)> = None;
        while !self.eat("--END--") {
            if self.eat("State:") {
                now = Some(self.state(&mut edges)?);
                continue;
            }
            let Some((state, marks)) = now else {
                return self.fail("expected `State:`");
            };
            self.expect("[")?;
            let label = self.disjunction(0)?;
            self.expect("]")?;
            let target = self.number()?;
            if self.eat("&") {
                return self.fail("alternation is not supported");
            }
            let sets = marks | self.marks()?;
            let row = &mut edges[state as usize];
            row.extend(label.into_iter().map(|guard| Edge {
                guard,
                target,
                sets,
            }));
        }
        Ok(edges)
    }

    fn state(&mut self, edges: &mut Vec<Vec<Edge>>) -> Read<(u32, u128)> {
        if self.eat("[") {
            return self.fail("labels of states are not supported");
        }
        let number = self.number()?;
        if number >= STATES {
            return self.fail(format!("more than {STATES} states"));
        }
        if edges.len() <= number as usize {
            edges.resize(number as usize + 1, Vec::new());
        }
        self.spaces();
        if self.rest().starts_with('"') {
            self.string()?;
        }
        Ok((number, self.marks()?))
    }

    fn marks(&mut self) -> Read<u128> {
        let mut marks = 0;
        if !self.eat("{") {
            return Ok(marks);
        }
        while !self.eat("}") {
            let set = self.number()?;
            if set >= self.sets.max(1) {
                return self.fail(format!("there is no acceptance set {set}"));
            }
            marks |= 1 << set;
        }
        Ok(marks)
    }

    fn disjunction(&mut self, depth: u32) -> Read<Vec<Cube>> {
        if depth > 100 {
            return self.fail("a label is nested too deeply");
        }
        let mut all = self.conjunction(depth)?;
        while self.eat("|") {
            all.extend(self.conjunction(depth)?);
        }
        self.bounded(all)
    }

    fn conjunction(&mut self, depth: u32) -> Read<Vec<Cube>> {
        let mut all = self.factor(depth)?;
        while self.eat("&") {
            let more = self.factor(depth)?;
            all = self.bounded(both(&all, &more))?;
        }
        Ok(all)
    }

    fn bounded(&self, mut cubes: Vec<Cube>) -> Read<Vec<Cube>> {
        cubes.sort_unstable();
        cubes.dedup();
        match cubes.len() > CUBES {
            true => self.fail("a label is too large"),
            false => Ok(cubes),
        }
    }

    fn factor(&mut self, depth: u32) -> Read<Vec<Cube>> {
        if self.eat("!") {
            let inner = self.factor(depth + 1)?;
            return self.negated(&inner);
        }
        if self.eat("(") {
            let inner = self.disjunction(depth + 1)?;
            self.expect(")")?;
            return Ok(inner);
        }
        if self.eat("t") {
            return Ok(vec![Cube::TRUE]);
        }
        if self.eat("f") {
            return Ok(Vec::new());
        }
        let atom = self.number()?;
        match (atom as usize) < self.atoms.len() {
            true => Ok(vec![Cube::literal(atom, true)]),
            false => self.fail(format!("there is no atom {atom}")),
        }
    }

    fn negated(&self, cubes: &[Cube]) -> Read<Vec<Cube>> {
        let mut all = vec![Cube::TRUE];
        for cube in cubes {
            let bits = |mask: u128| (0..MAX_ATOMS).filter(move |a| mask >> a & 1 == 1);
            let mut flipped: Vec<Cube> = Vec::new();
            flipped.extend(bits(cube.positive).map(|a| Cube::literal(a, false)));
            flipped.extend(bits(cube.negative).map(|a| Cube::literal(a, true)));
            all = self.bounded(both(&all, &flipped))?;
        }
        Ok(all)
    }
}

fn both(left: &[Cube], right: &[Cube]) -> Vec<Cube> {
    let pairs = left.iter().flat_map(|l| right.iter().map(|r| l.and(*r)));
    pairs.flatten().collect()
}
