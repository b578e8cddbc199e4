//! Random SMV texts that NuSMV takes.

use std::fmt::Write as _;

use super::expression::Vocabulary;
use crate::Rng;

/// What may be in a text.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Variables beside those of instances.
    pub variables: usize,
    /// Depth of expressions.
    pub depth: usize,
    /// `INVAR` and `TRANS`, which can make deadlocks.
    pub constraints: bool,
    /// Inputs, which CTL cannot mention.
    pub inputs: bool,
    /// Fairness.
    pub fairness: bool,
    /// Instances of modules and processes.
    pub modules: bool,
    /// How many properties of each kind.
    pub properties: usize,
}

impl Default for Shape {
    fn default() -> Self {
        Shape {
            variables: 3,
            depth: 2,
            constraints: true,
            inputs: true,
            fairness: true,
            modules: true,
            properties: 3,
        }
    }
}

struct Writer<'r> {
    rng: &'r mut Rng,
    shape: Shape,
    /// What can be assigned and has a next value.
    state: Vocabulary,
    /// That and definitions.
    now: Vocabulary,
    inputs: Vocabulary,
    out: String,
}

/// A random text. Its properties are called `c0`, `l0`, `i0`, `m0` and so on.
pub fn random(rng: &mut Rng, shape: Shape) -> String {
    let mut writer = Writer {
        rng,
        shape,
        state: Vocabulary::default(),
        now: Vocabulary::default(),
        inputs: Vocabulary::default(),
        out: String::from("MODULE main\n"),
    };
    writer.variables();
    let modules = writer.instances();
    writer.now = writer.state.clone();
    writer.definitions();
    writer.assignments();
    writer.constraints();
    writer.properties();
    writer.out + &modules
}

impl Writer<'_> {
    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        let _ = self.out.write_fmt(text);
        self.out.push('\n');
    }

    fn variables(&mut self) {
        for i in 0..self.shape.variables.max(1) {
            let frozen = self.rng.percent(8);
            let section = if frozen { "FROZENVAR" } else { "VAR" };
            self.variable(section, &format!("v{i}"));
        }
        if self.shape.inputs && self.rng.percent(40) {
            match self.rng.percent(60) {
                true => {
                    self.inputs.booleans.push("i0".to_owned());
                    self.line(format_args!("IVAR i0 : boolean;"));
                }
                false => {
                    self.inputs.numbers.push("i0".to_owned());
                    self.line(format_args!("IVAR i0 : 0..2;"));
                }
            }
        }
    }

    fn variable(&mut self, section: &str, name: &str) {
        match self.rng.below(9) {
            0..3 => {
                self.state.booleans.push(name.to_owned());
                self.line(format_args!("{section} {name} : boolean;"));
            }
            3..5 => {
                let low = self.rng.below(3) as i64 - 1;
                let high = low + self.rng.between(1, 2) as i64;
                self.state.numbers.push(name.to_owned());
                self.line(format_args!("{section} {name} : {low}..{high};"));
            }
            5 => {
                let all = ["red", "green", "blue"];
                let all: Vec<String> = all.iter().map(|c| (*c).to_owned()).collect();
                let shown = all.join(", ");
                self.state.symbols.push((name.to_owned(), all));
                self.line(format_args!("{section} {name} : {{{shown}}};"));
            }
            6 => {
                self.state.unsigned.push(name.to_owned());
                self.line(format_args!("{section} {name} : word[2];"));
            }
            7 => {
                self.state.signed.push(name.to_owned());
                self.line(format_args!("{section} {name} : signed word[2];"));
            }
            _ => {
                let names = [format!("{name}[0]"), format!("{name}[1]")];
                self.state.booleans.extend(names);
                self.line(format_args!("{section} {name} : array 0..1 of boolean;"));
            }
        }
    }

    /// Instances, and the module they are of.
    fn instances(&mut self) -> String {
        if !self.shape.modules || !self.rng.percent(40) {
            return String::new();
        }
        let process = if self.rng.percent(50) { "process " } else { "" };
        let argument = self.state.boolean(self.rng, 1);
        self.line(format_args!("VAR m : {process}part({argument});"));
        self.line(format_args!("VAR n : {process}part(m.on);"));
        for instance in ["m", "n"] {
            self.state.booleans.push(format!("{instance}.on"));
        }
        let fair = match !process.is_empty() && self.shape.fairness {
            true => "FAIRNESS running\n",
            false => "",
        };
        let value = match self.rng.below(4) {
            0 => "!on",
            1 => "given",
            2 => "on xor given",
            _ => "{on, given, both}",
        };
        format!(
            "MODULE part(given)\nVAR on : boolean;\nDEFINE both := on & given;\n\
             ASSIGN init(on) := FALSE; next(on) := {value};\n{fair}"
        )
    }

    fn definitions(&mut self) {
        if self.rng.percent(60) {
            let body = self.now.boolean(self.rng, self.shape.depth);
            self.line(format_args!("DEFINE d0 := {body};"));
            self.now.booleans.push("d0".to_owned());
        }
        if self.rng.percent(60) {
            let body = self.now.number(self.rng, self.shape.depth);
            self.line(format_args!("DEFINE d1 := {body};"));
            self.now.numbers.push("d1".to_owned());
        }
        if self.rng.percent(30) && !self.state.numbers.is_empty() {
            let at = self.state.numbers[0].clone();
            self.line(format_args!("DEFINE d2 := [TRUE, FALSE, TRUE];"));
            let index = format!("d2[(({at}) mod 3 + 3) mod 3]");
            self.now.booleans.push(index);
        }
    }

    /// A value, or a choice, for a variable; none of variables that are not assigned here.
    fn assignments(&mut self) {
        let before = self.out.clone();
        let declared: Vec<(String, String, bool)> = before
            .lines()
            .filter_map(|line| {
                let (section, rest) = line.split_once(' ')?;
                let (name, ty) = rest.strip_suffix(';')?.split_once(" : ")?;
                let assigned = section == "VAR" || section == "FROZENVAR";
                let frozen = section == "FROZENVAR";
                let known = assigned && !ty.contains("part(");
                known.then(|| (name.to_owned(), ty.to_owned(), frozen))
            })
            .collect();
        for (name, ty, frozen) in declared {
            let targets = match ty.starts_with("array") {
                true => vec![format!("{name}[0]"), format!("{name}[1]")],
                false => vec![name],
            };
            for target in targets {
                if self.rng.percent(70) {
                    self.line(format_args!("ASSIGN init({target}) := {};", first(&ty)));
                }
                if !frozen && self.rng.percent(85) {
                    let words = self.now.with_next(&Vocabulary::default());
                    let words = merged(&words, &self.inputs);
                    let value = self.value(&ty, words);
                    self.line(format_args!("ASSIGN next({target}) := {value};"));
                }
            }
        }
    }

    fn value(&mut self, ty: &str, words: Vocabulary) -> String {
        let depth = self.shape.depth;
        let condition = words.boolean(self.rng, depth);
        let choice = self.rng.percent(35);
        let one = |rng: &mut Rng| match ty {
            "word[2]" => words.word(rng, false, depth),
            "signed word[2]" => words.word(rng, true, depth),
            _ if ty.starts_with('{') => {
                let all = ["red", "green", "blue"];
                (*rng.pick(&all).unwrap_or(&"red")).to_owned()
            }
            _ if ty.contains("boolean") => words.boolean(rng, depth),
            range => {
                let (low, high) = range.split_once("..").unwrap_or(("0", "1"));
                let low: i64 = low.parse().unwrap_or(0);
                let size = high.parse::<i64>().unwrap_or(1) - low + 1;
                let inner = words.number(rng, depth);
                format!("((({inner}) mod {size} + {size}) mod {size} + {low})")
            }
        };
        let (a, b, c) = (one(self.rng), one(self.rng), one(self.rng));
        // NuSMV has no sets of words.
        match choice && !ty.contains("word") {
            true => match self.rng.below(3) {
                0 => format!("{{{a}, {b}}}"),
                1 => format!("case {condition} : {{{a}, {b}}}; TRUE : {c}; esac"),
                _ => format!("({condition} ? {a} : {b} union {c})"),
            },
            false => format!("case {condition} : {a}; TRUE : {b}; esac"),
        }
    }

    fn constraints(&mut self) {
        if self.shape.constraints && self.rng.percent(30) {
            let init = self.now.boolean(self.rng, self.shape.depth);
            self.line(format_args!("INIT {init}"));
        }
        if self.shape.constraints && self.rng.percent(25) {
            let invariant = self.now.boolean(self.rng, self.shape.depth);
            self.line(format_args!("INVAR {invariant}"));
        }
        if self.shape.constraints && self.rng.percent(30) {
            let words = merged(&self.now.with_next(&self.state), &self.inputs);
            let step = words.boolean(self.rng, self.shape.depth);
            self.line(format_args!("TRANS {step}"));
        }
        if self.shape.fairness && self.rng.percent(35) {
            let words = merged(&self.now, &self.inputs);
            let fair = words.boolean(self.rng, 1);
            self.line(format_args!("JUSTICE {fair}"));
        }
    }

    fn properties(&mut self) {
        for i in 0..self.shape.properties {
            let depth = self.rng.between(1, 3);
            let ctl = self.now.ctl(self.rng, depth);
            self.line(format_args!("CTLSPEC NAME c{i} := {ctl}"));
            let ltl = self.now.ltl(self.rng, 2);
            self.line(format_args!("LTLSPEC NAME l{i} := {ltl}"));
            let invariant = self.now.boolean(self.rng, self.shape.depth);
            self.line(format_args!("INVARSPEC NAME i{i} := {invariant}"));
            let (from, to) = (self.now.boolean(self.rng, 0), self.now.boolean(self.rng, 0));
            let op = if self.rng.percent(50) { "MIN" } else { "MAX" };
            self.line(format_args!("COMPUTE NAME m{i} := {op} [{from}, {to}]"));
        }
    }
}

/// First values mention no other variable, so that there is no circle.
fn first(ty: &str) -> String {
    match ty {
        "word[2]" => "0ub2_01".to_owned(),
        "signed word[2]" => "0sb2_10".to_owned(),
        _ if ty.starts_with('{') => "{red, blue}".to_owned(),
        _ if ty.contains("boolean") => "FALSE".to_owned(),
        range => range
            .split_once("..")
            .map_or("0", |(low, _)| low)
            .to_owned(),
    }
}

fn merged(a: &Vocabulary, b: &Vocabulary) -> Vocabulary {
    let both = |a: &[String], b: &[String]| a.iter().chain(b).cloned().collect();
    Vocabulary {
        booleans: both(&a.booleans, &b.booleans),
        numbers: both(&a.numbers, &b.numbers),
        symbols: a.symbols.iter().chain(&b.symbols).cloned().collect(),
        unsigned: both(&a.unsigned, &b.unsigned),
        signed: both(&a.signed, &b.signed),
    }
}
