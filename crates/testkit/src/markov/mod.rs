//! Probabilistic systems: random ones, all small ones, and strong simulation decided naively.

mod product;
mod random;
mod simulation;
mod small;
mod tree;

pub use product::{NaiveChoice, naive_product};
pub use random::{LptsShape, random_lpts, random_pair, random_tree, relative};
pub use simulation::{flow_exists, hall_holds, naive_simulation, naive_simulation_by};
pub use small::small_lptses;
pub use tree::{execution_error, naive_tree_simulated};
