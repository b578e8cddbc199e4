//! The probabilistic models of the benchmarks, written in the PRISM language for any size.
//!
//! The families are those of Tables 6.1 and 6.2 of Komuravelli's thesis (2015): client and server
//! with failures, the resource arbiter of the Mars rovers, and a sensor network. The small sizes
//! are kept as files under `examples/prism`, where the README compares their sizes with the
//! published ones.

/// A model of some size and its specification.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The system, in the PRISM language.
    pub system: String,
    /// What it is to conform to, in the PRISM language.
    pub specification: String,
    /// The modules of each component of a two-way split, in the order of the table.
    pub split: [Vec<String>; 2],
}

/// Whether the system is the one that conforms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// It conforms to its specification.
    Right,
    /// It has a fault and does not.
    Wrong,
}

/// Adds lines to a text; writing into a string cannot fail.
macro_rules! put {
    ($text:expr, $($arg:tt)*) => {{
        use std::fmt::Write as _;
        let _ = writeln!($text, $($arg)*);
    }};
}

/// `name1`, `name2` and so on up to `n`.
fn numbered(name: &str, n: usize) -> Vec<String> {
    (1..=n).map(|i| format!("{name}{i}")).collect()
}

/// Module `name{to}` as module `name{from}`, its variable and actions renamed; `#` represents the number.
fn renamed(text: &mut String, name: &str, [from, to]: [usize; 2], names: &[&str]) {
    let number = |name: &str, i: usize| name.replace('#', &i.to_string());
    let pair = |name: &&str| format!("{}={}", number(name, from), number(name, to));
    let pairs: Vec<String> = names.iter().map(pair).collect();
    put!(
        text,
        "module {name}{to} = {name}{from} [{}] endmodule",
        pairs.join(", ")
    );
}

mod arbiter;
mod client_server;
mod sensors;

pub use arbiter::arbiter;
pub use client_server::{Failing, client_server};
pub use sensors::sensor_network;

#[cfg(test)]
mod tests;
