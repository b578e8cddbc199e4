//! The model kinds, the questions asked of them, and the answers with their evidence.
//!
//! [`lts`] holds labelled transition systems and networks of them, [`program`] concurrent programs with
//! variables and channels, [`chc`] constrained Horn clauses, [`mdp`] probabilistic systems, [`fsm`] finite-domain
//! ones. [`answer`] holds what verdicts on all of them have in common and the answers about networks, [`evidence`] what proves
//! those; each of the other modules has a `Claim` and an `Answer` of its own. There is no I/O here and no engine.
//!
//! ```
//! use suppose_model::lts::{Labels, LtsBuilder, Network};
//!
//! let mut labels = Labels::new();
//! let (coin, tea) = (labels.intern("coin"), labels.intern("tea"));
//! let mut machine = LtsBuilder::new("Machine");
//! machine.edge(0, coin, 1).edge(1, tea, 0);
//! let mut network = Network::new("System", labels);
//! network.add_component(machine.build());
//! network.close();
//! assert_eq!(network.components[0].lts.states(), 2);
//! ```

pub mod answer;
pub mod chc;
pub mod evidence;
pub mod fsm;
pub mod graph;
pub mod ltl;
pub mod lts;
pub mod mdp;
pub mod program;
pub mod relation;

pub use answer::{
    Answer, Answered, EvidenceStatus, Finding, Outcome, Reason, Round, Run, SoFar, Verdict,
};
pub use evidence::{
    Assumption, Certificate, Claim, Counterexample, Guarantee, Lasso, LivenessProof, NetworkStep,
    Node, Passage, Premise, RecurrentSet, Residual, TerminalSet, Visit,
};
pub use relation::{Column, Relation, SharedRelation};
