//! Families of SMV models by size. All are our own; the comments in the texts say what is modelled.

mod control;
mod data;
mod protocols;
mod queues;
mod shared;

pub use control::*;
pub use data::*;
pub use protocols::*;
pub use queues::*;
pub use shared::*;

/// The texts for 0 to `count - 1`, one after another.
fn each(count: u64, text: impl Fn(u64) -> String) -> String {
    (0..count).map(text).collect()
}

/// As [`each`], with something between.
fn joined(count: u64, between: &str, text: impl Fn(u64) -> String) -> String {
    (0..count).map(text).collect::<Vec<_>>().join(between)
}
