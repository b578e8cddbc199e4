//! Random bodies of processes.

use super::expression::{self, Use};
use super::{Kind, Scope, Variable};
use crate::rng::Rng;

/// Where a statement stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Not within an atomic sequence.
    Free,
    /// Within `atomic`: no loop that may be endless.
    Atomic,
    /// Within `d_step`: nothing that blocks or meets another process.
    Step,
}

/// Writes the body of one process.
pub struct Body<'a> {
    rng: &'a mut Rng,
    scope: &'a Scope<'a>,
    locals: Vec<Variable>,
    labels: usize,
    ends: usize,
}

impl<'a> Body<'a> {
    /// With these local variables.
    pub fn new(rng: &'a mut Rng, scope: &'a Scope<'a>, locals: Vec<Variable>) -> Self {
        Body {
            rng,
            scope,
            locals,
            labels: 0,
            ends: 0,
        }
    }

    /// So many statements at the outermost level, each with a label to go to if there are `goto`s.
    /// The label `here` marks one of them.
    pub fn write(mut self, count: usize) -> String {
        let depth = self.scope.shape.depth;
        self.labels = if self.scope.shape.gotos > 0 { count } else { 0 };
        let marked = self.rng.below(count);
        let mut lines = Vec::new();
        for i in 0..count {
            if i < self.labels {
                lines.push(format!("L{i}:"));
            }
            if i == marked {
                lines.push("here:".to_owned());
            }
            let statement = self.statement(depth, Place::Free);
            // SPIN takes no label before a block, and no jump to a `d_step`.
            let step = if statement.starts_with('{') || statement.starts_with("d_step") {
                "skip; "
            } else {
                ""
            };
            lines.push(format!("    {step}{statement};"));
        }
        lines.push("done:".to_owned());
        lines.push("    skip".to_owned());
        lines.join("\n") + "\n"
    }

    fn statement(&mut self, depth: usize, place: Place) -> String {
        let shape = self.scope.shape;
        let free = place == Place::Free;
        let channels = if self.scope.channels.is_empty() || place == Place::Step {
            0
        } else {
            30
        };
        let nested = if depth == 0 { 0 } else { 1 };
        let weights = [
            30,
            if place == Place::Step { 0 } else { 5 },
            channels,
            16 * nested,
            if free { 24 * nested } else { 0 },
            if free { shape.atomic * nested } else { 0 },
            if free { shape.d_step } else { 0 },
            shape.asserts,
            if free && depth == shape.depth {
                shape.unless
            } else {
                0
            },
            if place == Place::Step { 0 } else { shape.gotos },
            if place == Place::Step {
                0
            } else {
                shape.ranges
            },
            if self.scope.inline { 6 } else { 0 },
            3,
            if free { 0 } else { shape.long_steps },
            if self.scope.handle.is_some() && place != Place::Step {
                8
            } else {
                0
            },
        ];
        match self.weighted(&weights) {
            0 => self.assignment(place),
            1 => self.condition(Use::all()),
            2 => self.message(),
            3 => self.choice(depth, place),
            4 => self.repetition(depth),
            5 => format!("atomic {{ {} }}", self.sequence(depth - 1, Place::Atomic)),
            6 => self.d_step(),
            7 => {
                let what = if place == Place::Step {
                    Use::step()
                } else {
                    Use::all()
                };
                format!("assert({})", self.condition(what))
            }
            8 => self.unless(depth),
            9 => self.goto(place),
            10 => self.range(place),
            11 => format!("bump({})", self.rng.below(3)),
            13 => self.long(place),
            14 => self.handle(),
            _ => ["skip", "printf(\"here\\n\")"][self.rng.below(2)].to_owned(),
        }
    }

    fn weighted(&mut self, weights: &[u32]) -> usize {
        let total: u32 = weights.iter().sum();
        let mut left = self.rng.below(total as usize) as u32;
        for (i, &weight) in weights.iter().enumerate() {
            if left < weight {
                return i;
            }
            left -= weight;
        }
        0
    }

    fn condition(&mut self, what: Use) -> String {
        expression::condition(self.rng, self.scope, &self.locals, what)
    }

    fn number(&mut self) -> String {
        expression::number(self.rng, self.scope, &self.locals, Use::variables(), 2)
    }

    fn sequence(&mut self, depth: usize, place: Place) -> String {
        let count = self.rng.between(1, 3);
        let mut text = self.statement(depth, place);
        for _ in 1..count {
            let next = self.statement(depth, place);
            // The end of a loop would be a jump to the `d_step`, which SPIN refuses.
            let step = if next.starts_with("d_step") {
                "skip; "
            } else {
                ""
            };
            text = format!("{text}; {step}{next}");
        }
        text
    }

    fn assignment(&mut self, place: Place) -> String {
        let shape = self.scope.shape;
        if self.rng.percent(shape.mtypes) {
            let found = expression::place(self.rng, self.scope, &self.locals, true);
            if let Some((name, _)) = found {
                let colour = ["red", "green", "blue"][self.rng.below(3)];
                return format!("{name} = {colour}");
            }
        }
        let found = expression::place(self.rng, self.scope, &self.locals, false);
        let Some((name, kind)) = found else {
            return "skip".to_owned();
        };
        let narrow = matches!(kind, Kind::Bit | Kind::Bool | Kind::Unsigned);
        if (narrow && self.rng.percent(30)) || self.rng.percent(shape.wrap) {
            return format!("{name}{}", ["++", "--"][self.rng.below(2)]);
        }
        let what = if place == Place::Step {
            Use::step()
        } else {
            Use::variables()
        };
        let value = expression::number(self.rng, self.scope, &self.locals, what, 2);
        if narrow && self.rng.percent(70) {
            return format!("{name} = {value}");
        }
        format!("{name} = ({value}) % {}", self.rng.between(2, 3))
    }

    fn message(&mut self) -> String {
        let shape = self.scope.shape;
        let Some((name, channel)) = expression::channel(self.rng, self.scope) else {
            return "skip".to_owned();
        };
        let (capacity, fields) = (channel.capacity, channel.fields);
        if self.rng.percent(50) {
            let arrow = if capacity > 0 && self.rng.percent(shape.sorted) {
                "!!"
            } else {
                "!"
            };
            let second = if fields == 2 {
                format!(", {}", self.rng.below(2))
            } else {
                String::new()
            };
            let value = self.number();
            return format!("{name}{arrow}(({value}) & 3){second}");
        }
        let arrow = if capacity > 0 && self.rng.percent(shape.random_receive) {
            "??"
        } else {
            "?"
        };
        let mut parts = self.pattern();
        if fields == 2 {
            // SPIN refuses a variable that stands for two fields.
            let second = ["_", "0", "1"][self.rng.below(3)];
            parts = format!("{parts}, {second}");
        }
        if capacity > 0 && self.rng.percent(shape.copy) {
            return format!("{name}{arrow}<{parts}>");
        }
        format!("{name}{arrow}{parts}")
    }

    /// Puts a channel into the variable for channels, or sends or receives one.
    fn handle(&mut self) -> String {
        let Some((name, channels)) = &self.scope.handle else {
            return "skip".to_owned();
        };
        let channel = &channels[self.rng.below(channels.len())];
        match self.rng.below(4) {
            0 => format!("{name} = {channel}"),
            1 => format!("box!{channel}"),
            2 => format!("box!{name}"),
            _ => format!("box?{name}"),
        }
    }

    /// What a receive puts a field into, or compares it with.
    fn pattern(&mut self) -> String {
        if self.rng.percent(self.scope.shape.matching) {
            return match self.rng.below(3) {
                0 => format!("eval({})", self.number()),
                _ => self.rng.below(3).to_string(),
            };
        }
        if self.rng.percent(30) {
            return "_".to_owned();
        }
        // When it goes back over a receive, SPIN puts what the variable kept of a message back into the channel. Where that is less
        // than the message, it goes on with states that are none.
        let found = expression::place(self.rng, self.scope, &self.locals, false);
        let found = found.filter(|(_, kind)| !matches!(kind, Kind::Bit | Kind::Bool));
        found.map_or_else(|| "_".to_owned(), |(name, _)| name)
    }

    /// The options of a choice. An `else` stands only next to guards without channels.
    fn options(&mut self, depth: usize, place: Place, last: &str) -> String {
        let with_else = place == Place::Step || self.rng.percent(35);
        let mut text = String::new();
        for _ in 0..self.rng.between(1, 3) {
            let guarded = with_else || place == Place::Step || self.rng.percent(60);
            if guarded {
                let what = match (place, with_else) {
                    (Place::Step, _) => Use::step(),
                    (_, true) => Use::variables(),
                    (_, false) => Use::all(),
                };
                let guard = self.condition(what);
                let rest = self.statement(depth - 1, place);
                text.push_str(&format!(":: {guard} -> {rest} "));
            } else {
                // pan refuses a loop without effect: `do :: skip od`.
                let first = self.sequence(depth - 1, place);
                let idle = first == "skip" || first == "true";
                let step = if idle { "; mine = 0" } else { "" };
                // SPIN calls a label misplaced that begins an option, or gives it to what follows.
                let before = if first.starts_with("end") {
                    "mine = 0; "
                } else {
                    ""
                };
                text.push_str(&format!(":: {before}{first}{step} "));
            }
        }
        if with_else {
            text.push_str(&format!(":: else{last} "));
        } else if place == Place::Free && self.rng.percent(self.scope.shape.timeout) {
            text.push_str(&format!(":: timeout -> {} ", self.assignment(Place::Free)));
        }
        text
    }

    fn choice(&mut self, depth: usize, place: Place) -> String {
        format!("if {}fi", self.options(depth, place, ""))
    }

    fn repetition(&mut self, depth: usize) -> String {
        let mut label = String::new();
        if self.rng.percent(self.scope.shape.end_labels) {
            label = format!("end{}: ", self.ends);
            self.ends += 1;
        }
        let options = self.options(depth, Place::Free, " -> break");
        let way_out = if self.rng.percent(50) && !options.contains(":: else") {
            ":: break "
        } else {
            ""
        };
        format!("{label}do {options}{way_out}od")
    }

    /// Assignments and choices with `else` alone: deterministic, and it does not block but for its
    /// first statement.
    fn d_step(&mut self) -> String {
        let mut parts = Vec::new();
        let meets = self.rng.percent(self.scope.shape.d_step_rendezvous);
        if let Some(receive) = meets.then(|| self.rendezvous()).flatten() {
            parts.push(receive);
        } else if self.rng.percent(40) {
            parts.push(self.condition(Use::step()));
        }
        for _ in 0..self.rng.between(1, 3) {
            parts.push(self.statement(1, Place::Step));
        }
        // SPIN runs a `d_step` that begins so in the middle of a rendezvous.
        if ["printf", "assert"]
            .iter()
            .any(|word| parts[0].starts_with(word))
        {
            parts.insert(0, "skip".to_owned());
        }
        if self.rng.percent(self.scope.shape.d_step_blocks) {
            parts.push(self.condition(Use::step()));
        }
        format!("d_step {{ {} }}", parts.join("; "))
    }

    /// A receive from a rendezvous.
    fn rendezvous(&mut self) -> Option<String> {
        let all = self.scope.channels.iter().filter(|c| c.capacity == 0);
        let all: Vec<_> = all.collect();
        let channel = *self.rng.pick(&all)?;
        let element = channel
            .length
            .map_or(String::new(), |n| format!("[{}]", n - 1));
        let second = if channel.fields == 2 { ", _" } else { "" };
        let pattern = self.pattern();
        Some(format!("{}{element}?{pattern}{second}", channel.name))
    }

    /// A loop of many rounds that is one step of the system.
    fn long(&mut self, place: Place) -> String {
        // The counter is a byte.
        let rounds = [5, 40, 250][self.rng.below(3)];
        let body = self.assignment(place);
        format!("for (i : 1 .. {rounds}) {{ {body} }}; i = 0")
    }

    fn unless(&mut self, depth: usize) -> String {
        let main = self.sequence(depth - 1, Place::Free);
        let guard = self.condition(Use::all());
        let rest = self.assignment(Place::Free);
        format!("{{ {main} }} unless {{ {guard} -> {rest} }}")
    }

    /// Out of an atomic sequence only to the end: a way back might make it endless. SPIN refuses a
    /// circle of `goto`s, and pan a loop without effect, so that a step
    /// comes before each.
    fn goto(&mut self, place: Place) -> String {
        if place == Place::Free && self.labels > 0 && self.rng.percent(70) {
            return format!(
                "mine = (mine + 1) % 2; goto L{}",
                self.rng.below(self.labels)
            );
        }
        "mine = 0; goto done".to_owned()
    }

    fn range(&mut self, place: Place) -> String {
        if place == Place::Free && self.rng.percent(50) {
            return format!(
                "for (i : 0 .. {}) {{ {} }}",
                self.rng.between(0, 2),
                self.assignment(Place::Free)
            );
        }
        format!("select (i : 0 .. {})", self.rng.between(0, 2))
    }
}
