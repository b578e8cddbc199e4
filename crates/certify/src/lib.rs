//! Independent checkers of every certificate and counterexample.
//!
//! This crate imports the [model](suppose_model) and no engine and no front-end. It is small and plain,
//! since a mistake here is a wrong verdict; and quick, since every verdict passes through it before it
//! is printed. [`certificate()`] checks why a claim holds, [`counterexample`] why it does not, and
//! [`mod@file`] keeps both as files. [`program`] does so for programs, [`chc`] for Horn clauses,
//! [`mdp`] for probabilistic systems, [`fsm`] for finite-domain systems.
//!
//! # Example
//!
//! ```
//! use suppose_certify::counterexample;
//! use suppose_model::lts::{Labels, LtsBuilder, Network};
//! use suppose_model::{Claim, Counterexample};
//!
//! let mut labels = Labels::new();
//! let (coin, tea) = (labels.intern("coin"), labels.intern("tea"));
//! let mut machine = LtsBuilder::new("Machine");
//! machine.edge(0, coin, 1).edge(1, tea, 0);
//! let mut network = Network::new("System", labels);
//! network.add_component(machine.build());
//! network.close();
//! // The empty run does not end in a deadlock.
//! let run = Counterexample::finite(Claim::DeadlockFree, Vec::new());
//! assert!(counterexample(&network, &run).is_err());
//! ```
//!
//! # Why an accepted certificate is a proof
//!
//! A *trace* of an LTS or of LTSs together is the sequence of the labels of a run, without `tau`;
//! `t|X` is what is left of `t` when only labels of the set `X` are kept.
//!
//! 1. If `t` is a trace of the system, `t|αM` is one of each component `M`: the steps of the run in
//!    which `M` moves are a run of `M`. (Priority only takes runs away.)
//! 2. If `t` is any sequence of labels and `t|αX` is a trace of `X` for each of some LTSs `X`, then those
//!    LTSs together have a run with the trace `t` restricted to their labels: each moves when a label of
//!    its alphabet is due, and does its `tau` steps alone before that.
//! 3. Let a premise have the left side `L` (components and assumptions) and the guarantee `G`, and
//!    let its relation pass the check. If `L` has a run with the trace `t|αL`, then `t|αG` is a trace
//!    of `G`: follow the run, with a vector `(s, x)` of the relation at each moment, `s` the states
//!    of `L`. At first it is the vector of initial states. A step of `L` leads to a vector of the
//!    relation in which `G` went along if it has the label, and stayed if not. A letter of `t` that `G` has
//!    and `L` has not is a step that leaves `s` alone, and again leads to a vector of the relation.
//! 4. So, premise by premise: for every trace `t` of the system, `t|αG` is a trace of the guarantee
//!    `G`. By 1 this is so of the components of the premise, by the earlier premises it is so of
//!    its assumptions (here the order of the premises matters: a circle would have no beginning),
//!    by 2 the left side has the run, and 3 does the rest. The last premise guarantees the
//!    claim: no trace of the system leaves the property.
//!
//! Nothing in this asks for all components. Fewer members on the left side are fewer conditions
//! on its runs, so it has more behaviour and the premise says more.
//!
//! *Priority* makes steps depend on what others could do, so 2 is no longer true. Then each premise must
//! have all components and no assumption; its left side is the system itself, and steps that the priority
//! forbids are left out on both sides alike. Properties take no part in this: every label is
//! performed by components (those that only properties mention, by an environment component), and a
//! property never keeps a step from happening. The marks of errors are outside priority: they neither yield
//! nor make others yield. A mark is a loop where nothing else happens (the checker sees to it), so it
//! changes neither what is reached nor what others may do; where an error is reached, its mark can
//! happen, and the property about errors is violated. For freedom from deadlock the labels that no process
//! has are outside priority too.
//!
//! *Freedom from deadlock* is not a matter of traces. Its premise has no assumption and all
//! components, except that an environment which shares no label with any process may be left out. Its
//! relation contains the states of every reachable state of the system, since leaving components out
//! only adds steps. Every vector of it has a step in which a process takes part, or stopping there is
//! success. All components that have that step's label are present, because the label is one of a
//! process; so it is a step of the system too.

mod admissible;
mod cancellation;
mod certificate;
pub mod chc;
pub mod file;
pub mod fsm;
mod index;
mod left;
mod liveness;
pub mod mdp;
mod premise;
pub mod program;
mod reduction;
mod rejection;
mod relation;
mod replay;
mod shared;
mod summary;
mod system;
mod tree;
mod vectors;
pub mod views;

pub use certificate::{certificate, guarantee, working_memory};
pub use rejection::{Flaw, Place, Rejection};
pub use replay::{counterexample, counterexample_within};
pub use shared::certificates;
pub use summary::Summary;
