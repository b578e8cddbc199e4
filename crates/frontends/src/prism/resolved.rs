//! A model ready to be explored: every name is a number, every expression has a type.

use suppose_source::{Diagnostic, Span};

use super::ast::ModelType;
use super::term::Term;

/// A variable.
#[derive(Clone, Debug)]
pub(super) struct VariableInfo {
    pub(super) name: String,
    pub(super) is_bool: bool,
    /// Least value.
    pub(super) low: i64,
    /// Greatest value.
    pub(super) high: i64,
    /// `int` without bounds: the bounds are those of 32 bits.
    pub(super) unbounded: bool,
    /// None if `init ... endinit` says it.
    pub(super) init: Option<i64>,
    /// The module it belongs to; none for a global one.
    pub(super) owner: Option<usize>,
}

impl VariableInfo {
    /// As it is written.
    pub(super) fn show(&self, value: i64) -> String {
        match (self.is_bool, value) {
            (true, 0) => "false".to_owned(),
            (true, _) => "true".to_owned(),
            _ => value.to_string(),
        }
    }
}

/// One outcome of a command.
#[derive(Clone, Debug)]
pub(super) struct UpdateInfo {
    pub(super) probability: Term,
    pub(super) assignments: Vec<(u32, Term)>,
    pub(super) span: Span,
}

/// A command.
#[derive(Clone, Debug)]
pub(super) struct CommandInfo {
    /// None: it is internal.
    pub(super) action: Option<u32>,
    pub(super) guard: Term,
    pub(super) updates: Vec<UpdateInfo>,
    pub(super) span: Span,
}

/// A module.
#[derive(Clone, Debug)]
pub(super) struct ModuleInfo {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) commands: Vec<CommandInfo>,
    /// The actions of its commands, sorted.
    pub(super) alphabet: Vec<u32>,
}

/// Modules that act together: one of the ways in which `system` lets an action happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Vector {
    /// How it is seen from outside; none when it is hidden.
    pub(super) seen: Option<u32>,
    /// Modules, ascending, with the action each has for it.
    pub(super) parts: Vec<(usize, u32)>,
}

/// A label of the model.
#[derive(Clone, Debug)]
pub(super) struct LabelInfo {
    pub(super) name: String,
    pub(super) term: Term,
}

/// A reward structure.
#[derive(Clone, Debug)]
pub(super) struct RewardInfo {
    /// Empty if it has none.
    pub(super) name: String,
    pub(super) items: Vec<RewardItemInfo>,
}

/// One line of it.
#[derive(Clone, Debug)]
pub(super) struct RewardItemInfo {
    pub(super) earner: EarnerInfo,
    pub(super) guard: Term,
    pub(super) value: Term,
}

/// What a reward is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum EarnerInfo {
    /// Being in a state.
    State,
    /// A command without action.
    Silent,
    /// An action, as it is seen from outside.
    Action(String),
}

/// Everything resolved.
#[derive(Clone, Debug)]
pub(super) struct Resolved {
    pub(super) ty: ModelType,
    pub(super) variables: Vec<VariableInfo>,
    pub(super) modules: Vec<ModuleInfo>,
    /// Names of actions.
    pub(super) actions: Vec<String>,
    pub(super) labels: Vec<LabelInfo>,
    pub(super) rewards: Vec<RewardInfo>,
    pub(super) init: Option<Term>,
    pub(super) vectors: Vec<Vector>,
    pub(super) warnings: Vec<Diagnostic>,
}
