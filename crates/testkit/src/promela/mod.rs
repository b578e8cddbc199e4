//! Random small PROMELA programs, as text.
//!
//! SPIN takes every program, and each has finitely many states, mostly between five and five
//! thousand: values are kept small by remainders, processes are started before anything else is
//! done, and neither `d_step` nor `atomic` holds an endless loop.

mod body;
pub mod claim;
pub mod cycles;
mod exchange;
pub mod expected;
mod expression;
pub mod spin;

use std::fmt::Write;

use crate::rng::Rng;
use body::Body;
pub use exchange::Exchangeable;

/// How large programs are and what is in them. Ranges include both ends; the other numbers are
/// weights, mostly in a hundred, and 0 switches a feature off.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Process instances.
    pub processes: (usize, usize),
    /// Statements over all processes, counted at the outermost level.
    pub statements: (usize, usize),
    /// How deep choices and loops nest.
    pub depth: usize,
    /// Global variables.
    pub globals: (usize, usize),
    /// Channels.
    pub channels: (usize, usize),
    /// A channel is a rendezvous.
    pub rendezvous: u32,
    /// A program starts its processes by `init`.
    pub init: u32,
    /// A process type has several instances.
    pub instances: u32,
    /// A variable is an array.
    pub arrays: u32,
    /// A program has a record.
    pub records: u32,
    /// A variable is of an `mtype`.
    pub mtypes: u32,
    /// A statement is an atomic sequence.
    pub atomic: u32,
    /// A statement is a `d_step`.
    pub d_step: u32,
    /// A `d_step` may block after its first statement, which is an error.
    pub d_step_blocks: u32,
    /// A `d_step` begins with a receive from a rendezvous, if there is one.
    pub d_step_rendezvous: u32,
    /// An atomic sequence or a `d_step` counts up to 250 on its way.
    pub long_steps: u32,
    /// A channel has a second name.
    pub aliases: u32,
    /// A program with such a second name sends channels as messages and gives the name to other channels.
    pub handles: u32,
    /// A process declares `xr` or `xs` of a channel, which the others may or may not respect.
    pub exclusive: u32,
    /// A choice has a `timeout`.
    pub timeout: u32,
    /// A statement is an assertion.
    pub asserts: u32,
    /// A loop has an end label.
    pub end_labels: u32,
    /// A statement has an escape.
    pub unless: u32,
    /// A statement is a `goto`.
    pub gotos: u32,
    /// A send is sorted.
    pub sorted: u32,
    /// A receive takes any message that matches.
    pub random_receive: u32,
    /// A receive leaves the message in the channel.
    pub copy: u32,
    /// A receive has constants or `eval`.
    pub matching: u32,
    /// An expression uses `_pid`.
    pub pid: u32,
    /// An expression uses `_nr_pr`.
    pub nr_pr: u32,
    /// An expression looks at a channel.
    pub polls: u32,
    /// An expression looks at another process (a label or a variable).
    pub remote: u32,
    /// A process type has a condition to run.
    pub provided: u32,
    /// A statement is a `for` or a `select`.
    pub ranges: u32,
    /// An index may be out of range, which is an error.
    pub bad_index: u32,
    /// A divisor may be 0, which is an error.
    pub bad_divisor: u32,
    /// An assignment is not kept small, so that it may wrap around.
    pub wrap: u32,
    /// A program uses an `inline`.
    pub inline: u32,
}

impl Default for Shape {
    fn default() -> Self {
        Shape {
            processes: (1, 4),
            statements: (6, 14),
            depth: 2,
            globals: (1, 4),
            channels: (0, 2),
            rendezvous: 45,
            init: 35,
            instances: 20,
            arrays: 20,
            records: 15,
            mtypes: 12,
            atomic: 12,
            d_step: 6,
            d_step_blocks: 4,
            d_step_rendezvous: 20,
            long_steps: 8,
            aliases: 15,
            handles: 40,
            exclusive: 0,
            timeout: 6,
            asserts: 8,
            end_labels: 30,
            unless: 4,
            gotos: 5,
            sorted: 12,
            random_receive: 15,
            copy: 8,
            matching: 25,
            pid: 8,
            nr_pr: 3,
            polls: 8,
            remote: 3,
            provided: 4,
            ranges: 5,
            bad_index: 1,
            bad_divisor: 1,
            wrap: 4,
            inline: 12,
        }
    }
}

impl Shape {
    /// The same without errors of the run (an index out of range, a `d_step` that blocks), after
    /// which SPIN's further search means little.
    pub fn without_errors() -> Self {
        Shape {
            d_step_blocks: 0,
            bad_index: 0,
            bad_divisor: 0,
            ..Shape::default()
        }
    }

    /// Programs in which much goes wrong: an index out of range, a division by zero, a `d_step` that blocks.
    pub fn with_errors() -> Self {
        Shape {
            d_step: 12,
            d_step_blocks: 25,
            bad_index: 12,
            bad_divisor: 6,
            asserts: 3,
            arrays: 40,
            ..Shape::default()
        }
    }

    /// Programs whose processes declare channels their own with `xr` and `xs`. SPIN checks that only with its reduction, so that nothing is in
    /// them that its reduction does not take into account. All processes are there from the start: SPIN overlooks a use of the channel that
    /// can also come before the declaring process is made.
    pub fn exclusive() -> Self {
        Shape {
            init: 0,
            channels: (1, 3),
            processes: (2, 4),
            exclusive: 45,
            // Errors in themselves on such channels, to SPIN's reduction.
            sorted: 0,
            random_receive: 0,
            aliases: 0,
            rendezvous: 15,
            unless: 0,
            timeout: 0,
            provided: 0,
            remote: 0,
            nr_pr: 0,
            ..Shape::without_errors()
        }
    }

    /// Messages above all: several buffered channels, few looks at them.
    pub fn messages() -> Self {
        Shape {
            processes: (2, 4),
            channels: (2, 3),
            rendezvous: 10,
            globals: (1, 1),
            polls: 2,
            unless: 2,
            matching: 40,
            remote: 1,
            ..Shape::without_errors()
        }
    }

    /// Variables and choices alone: no channels and nothing that looks at other processes.
    pub fn plain() -> Self {
        Shape {
            channels: (0, 0),
            timeout: 0,
            unless: 0,
            nr_pr: 0,
            remote: 0,
            provided: 0,
            ..Shape::without_errors()
        }
    }
}

/// The type of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Bit,
    Bool,
    Byte,
    Short,
    Int,
    Unsigned,
    Mtype,
}

/// A variable that statements may use.
#[derive(Clone, Debug)]
struct Variable {
    name: String,
    kind: Kind,
    length: Option<usize>,
}

/// A channel, or an array of them.
#[derive(Clone, Debug)]
struct Channel {
    name: String,
    capacity: usize,
    fields: usize,
    length: Option<usize>,
}

/// What is declared outside the processes.
#[derive(Debug)]
struct Scope<'a> {
    shape: &'a Shape,
    globals: Vec<Variable>,
    channels: Vec<Channel>,
    /// Active process types so far, with their first numbers: for remote references. Each has the
    /// label `here` and the local variable `mine`.
    others: Vec<(String, usize)>,
    inline: bool,
    /// A variable for channels, with the channels that may be put into it: all of one capacity and one kind of message.
    handle: Option<(String, Vec<String>)>,
}

/// A random program.
pub fn program(rng: &mut Rng, shape: &Shape) -> String {
    finished(rng, shape).0
}

/// A random program, and what is declared in it.
fn finished<'a>(rng: &mut Rng, shape: &'a Shape) -> (String, Scope<'a>) {
    let instances = rng.between(shape.processes.0.max(1), shape.processes.1);
    let by_init = rng.percent(shape.init);
    let groups = group(rng, shape, instances);
    let mut scope = Scope {
        shape,
        globals: Vec::new(),
        channels: Vec::new(),
        others: Vec::new(),
        inline: rng.percent(shape.inline),
        handle: None,
    };
    let mut text = globals(rng, &mut scope);
    let statements = rng.between(shape.statements.0, shape.statements.1);
    let each = (statements / instances).max(1);
    let mut first = 0;
    for (i, &count) in groups.iter().enumerate() {
        text.push_str(&proctype(rng, &scope, (i, count), by_init, each));
        // SPIN knows names and labels of a process type only after its text.
        if !by_init {
            scope.others.push((format!("P{i}"), first));
            first += count;
        }
    }
    if by_init {
        text.push_str(&init(rng, &groups));
    }
    (text, scope)
}

/// Splits the instances into process types.
fn group(rng: &mut Rng, shape: &Shape, mut instances: usize) -> Vec<usize> {
    let mut groups = Vec::new();
    while instances > 0 {
        let several = instances > 1 && rng.percent(shape.instances);
        let count = if several { 2 } else { 1 };
        groups.push(count);
        instances -= count;
    }
    groups
}

fn globals(rng: &mut Rng, scope: &mut Scope) -> String {
    let shape = scope.shape;
    let mut text = String::new();
    if shape.mtypes > 0 {
        text.push_str("mtype = { red, green, blue };\n");
    }
    for i in 0..rng.between(shape.globals.0.max(1), shape.globals.1) {
        let variable = variable(rng, shape, format!("g{i}"));
        let _ = writeln!(text, "{}", declaration(rng, &variable));
        scope.globals.push(variable);
    }
    if rng.percent(shape.records) {
        text.push_str("typedef Pair { byte a; bit b[2] }\nPair pair;\n");
        let parts = [("pair.a", Kind::Byte, None), ("pair.b", Kind::Bit, Some(2))];
        scope
            .globals
            .extend(parts.map(|(name, kind, length)| Variable {
                name: name.to_owned(),
                kind,
                length,
            }));
    }
    for i in 0..rng.between(shape.channels.0, shape.channels.1) {
        let rendezvous = rng.percent(shape.rendezvous);
        let channel = Channel {
            name: format!("c{i}"),
            capacity: if rendezvous { 0 } else { rng.between(1, 2) },
            fields: rng.between(1, 2),
            length: rng.percent(shape.arrays).then_some(2),
        };
        let array = channel.length.map_or(String::new(), |n| format!("[{n}]"));
        let fields = if channel.fields == 1 {
            "byte"
        } else {
            "byte, bit"
        };
        let _ = writeln!(
            text,
            "chan {}{array} = [{}] of {{ {fields} }};",
            channel.name, channel.capacity
        );
        scope.channels.push(channel);
    }
    text.push_str(&aliases(rng, scope));
    if scope.inline {
        let target = scope.globals[0].clone();
        let place = target
            .length
            .map_or(target.name.clone(), |_| format!("{}[0]", target.name));
        let _ = writeln!(
            text,
            "inline bump(n) {{\n    {place} = ({place} + n) % 2;\n    skip\n}}"
        );
    }
    text
}

/// Second names of channels. The first of them may be a variable that other channels are put into.
fn aliases(rng: &mut Rng, scope: &mut Scope) -> String {
    let shape = scope.shape;
    let mut text = String::new();
    for i in 0..scope.channels.len() {
        if !rng.percent(shape.aliases) {
            continue;
        }
        let of = scope.channels[i].clone();
        let element = of.length.map_or(String::new(), |_| "[1]".to_owned());
        let alias = Channel {
            name: format!("a{i}"),
            length: None,
            ..of.clone()
        };
        let _ = writeln!(text, "chan {} = {}{element};", alias.name, of.name);
        if scope.handle.is_none() && rng.percent(shape.handles) {
            let like = |c: &&Channel| (c.capacity, c.fields) == (of.capacity, of.fields);
            let fits = scope.channels.iter().filter(like).map(|c| match c.length {
                Some(_) => format!("{}[0]", c.name),
                None => c.name.clone(),
            });
            scope.handle = Some((alias.name.clone(), fits.collect()));
            text.push_str("chan box = [1] of { chan };\n");
        }
        scope.channels.push(alias);
    }
    text
}

fn variable(rng: &mut Rng, shape: &Shape, name: String) -> Variable {
    let kinds = [
        Kind::Bit,
        Kind::Bool,
        Kind::Byte,
        Kind::Byte,
        Kind::Short,
        Kind::Int,
        Kind::Unsigned,
    ];
    let kind = if rng.percent(shape.mtypes) {
        Kind::Mtype
    } else {
        kinds[rng.below(kinds.len())]
    };
    // SPIN has no arrays of unsigned fields.
    let array = kind != Kind::Unsigned && rng.percent(shape.arrays);
    Variable {
        name,
        kind,
        length: array.then(|| rng.between(1, 3)),
    }
}

fn declaration(rng: &mut Rng, variable: &Variable) -> String {
    let name = &variable.name;
    let array = variable.length.map_or(String::new(), |n| format!("[{n}]"));
    let value = match variable.kind {
        Kind::Mtype => " = red".to_owned(),
        _ if rng.percent(30) => format!(" = {}", rng.below(2)),
        _ => String::new(),
    };
    match variable.kind {
        Kind::Bit => format!("bit {name}{array}{value};"),
        Kind::Bool => format!("bool {name}{array}{value};"),
        Kind::Byte => format!("byte {name}{array}{value};"),
        Kind::Short => format!("short {name}{array}{value};"),
        Kind::Int => format!("int {name}{array}{value};"),
        Kind::Unsigned => format!("unsigned {name} : 2{value};"),
        Kind::Mtype => format!("mtype {name}{array}{value};"),
    }
}

fn proctype(
    rng: &mut Rng,
    scope: &Scope,
    (index, count): (usize, usize),
    by_init: bool,
    each: usize,
) -> String {
    let shape = scope.shape;
    let mut text = match (by_init, count) {
        (true, _) => format!("proctype P{index}(byte mine)"),
        (false, 1) => format!("active proctype P{index}()"),
        (false, n) => format!("active [{n}] proctype P{index}()"),
    };
    if rng.percent(shape.provided) {
        let condition = expression::condition(rng, scope, &[], expression::Use::global());
        let _ = write!(text, " provided ({condition})");
    }
    text.push_str(" {\n");
    text.push_str(&exclusive(rng, scope, (index, count)));
    let mut locals = vec![Variable {
        name: "mine".to_owned(),
        kind: Kind::Byte,
        length: None,
    }];
    if !by_init {
        text.push_str("    byte mine;\n");
    }
    for i in 0..rng.below(3) {
        let local = variable(rng, shape, format!("x{i}"));
        let _ = writeln!(text, "    {}", declaration(rng, &local));
        locals.push(local);
    }
    text.push_str("    byte i;\n");
    text.push_str(&Body::new(rng, scope, locals).write(each));
    text.push_str("}\n");
    text
}

/// `xr` or `xs` of a buffered channel that is no array. Each is declared by one process at most: SPIN takes a second declaration, or one of
/// a rendezvous, for an error in itself.
fn exclusive(rng: &mut Rng, scope: &Scope, (index, count): (usize, usize)) -> String {
    let mut text = String::new();
    for (word, number) in [("xr", Some(index)), ("xs", index.checked_sub(1))] {
        let channel = number.and_then(|n| scope.channels.get(n));
        let fits = |c: &&Channel| count == 1 && c.capacity > 0 && c.length.is_none();
        if let Some(channel) = channel.filter(fits)
            && rng.percent(scope.shape.exclusive)
        {
            let _ = writeln!(text, "    {word} {};", channel.name);
        }
    }
    text
}

fn init(rng: &mut Rng, groups: &[usize]) -> String {
    let mut runs = Vec::new();
    for (i, count) in groups.iter().enumerate() {
        for _ in 0..*count {
            runs.push(format!("run P{i}({})", rng.below(3)));
        }
    }
    let runs = runs.join(";\n    ");
    if rng.percent(60) {
        format!("init {{\n    atomic {{\n    {runs}\n    }}\n}}\n")
    } else {
        format!("init {{\n    {runs}\n}}\n")
    }
}

#[cfg(test)]
mod tests;
