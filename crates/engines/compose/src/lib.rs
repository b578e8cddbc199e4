//! Engines on networks of labelled transition systems.
//!
//! [`monolithic`] explores the whole composition for one claim, [`joint`] for several. [`agar`] and [`learn`] reason by assumption and
//! guarantee over a sequence of groups of components, which [`decompose`] proposes; [`minimise`] decides deadlock and liveness in parts, and [`bounded`] turns liveness into
//! safety. All explore with
//! [`explore`] what [`product`] compiled. [`portfolio`] lists the engines and runs them by name, or all of them in turns.
//!
//! ```
//! use suppose_compose::monolithic;
//! use suppose_control::Context;
//! use suppose_model::lts::{Labels, LtsBuilder, Network};
//! use suppose_model::{Claim, Verdict};
//!
//! let mut labels = Labels::new();
//! let (coin, tea) = (labels.intern("coin"), labels.intern("tea"));
//! let mut machine = LtsBuilder::new("Machine");
//! machine.edge(0, coin, 1).edge(1, tea, 0);
//! let mut network = Network::new("System", labels);
//! network.add_component(machine.build());
//! network.close();
//! let answer = monolithic::check(&network, Claim::DeadlockFree, &Context::default());
//! assert!(matches!(answer.verdict, Verdict::Holds(_)));
//! ```

pub mod agar;
pub mod bounded;
mod concrete;
pub mod decompose;
pub mod explore;
mod forecast;
pub mod joint;
pub mod learn;
pub mod liveness;
pub mod minimise;
pub mod monolithic;
pub mod portfolio;
pub mod product;
pub mod quotient;
mod walk;
