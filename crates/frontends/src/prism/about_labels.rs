//! Properties about the labels of a system of states that is not written as a PRISM model.

use suppose_model::mdp::Property;
use suppose_source::{Diagnostic, FileId, ParserLimits, Sources, Span};

use super::ast::{ModelType, Type};
use super::atoms::Atoms;
use super::group::{Grouping, Groups};
use super::lexer::Names;
use super::resolve::{Given, Scope};
use super::resolved::{LabelInfo, ModuleInfo, Resolved, RewardInfo, VariableInfo};
use super::term::{Term, TermKind};
use super::{ExplorationError, PrismModel};
use crate::Undecided;

/// Properties whose propositions are labels, by their number in the list that was given; `"init"`, if it occurs, comes after the last.
#[derive(Clone, Debug, Default)]
pub(crate) struct AboutLabels {
    pub(crate) properties: Vec<Property>,
    pub(crate) undecided: Vec<Undecided>,
    pub(crate) init: bool,
}

/// Reads a file of properties about these labels and reward structures.
pub(crate) fn about_labels(
    names: &[String],
    rewards: &[String],
    file: FileId,
    sources: &Sources,
    constants: &Given,
    limits: &ParserLimits,
) -> Result<AboutLabels, Vec<Diagnostic>> {
    let model = stand_in(names, rewards, limits);
    let read = model.properties(file, sources, constants, limits)?;
    let groups = Groups::new(&model.resolved, &Grouping::default()).map_err(|f| match f {
        ExplorationError::Invalid(errors) => errors,
        _ => Vec::new(),
    })?;
    let mut atoms = Atoms::new(&groups, &[vec![0]]);
    for label in &model.resolved.labels {
        atoms.add(format!("\"{}\"", label.name), 0, label.term.clone());
    }
    let lowered = read.list.iter().map(|p| atoms.property(p, &model.resolved));
    let properties: Result<Vec<Property>, Diagnostic> = lowered.collect();
    Ok(AboutLabels {
        properties: properties.map_err(|e| vec![e])?,
        undecided: read.undecided,
        init: atoms.list().len() > names.len(),
    })
}

/// A model with nothing but labels, each a variable of its own that has no name, and names of reward structures.
fn stand_in(names: &[String], rewards: &[String], limits: &ParserLimits) -> PrismModel {
    let variable = |name: &String| VariableInfo {
        name: format!("\"{name}\""),
        is_bool: true,
        low: 0,
        high: 1,
        unbounded: false,
        init: Some(0),
        owner: Some(0),
    };
    let label = |(number, name): (usize, &String)| LabelInfo {
        name: name.clone(),
        term: Term {
            kind: TermKind::Var(number as u32),
            ty: Type::Bool,
            span: Span::default(),
        },
    };
    let structure = |name: &String| RewardInfo {
        name: name.clone(),
        items: Vec::new(),
    };
    let module = ModuleInfo {
        name: String::new(),
        span: Span::default(),
        commands: Vec::new(),
        alphabet: Vec::new(),
    };
    PrismModel {
        name: String::new(),
        resolved: Resolved {
            ty: ModelType::Mdp,
            variables: names.iter().map(variable).collect(),
            modules: vec![module],
            actions: Vec::new(),
            labels: names.iter().enumerate().map(label).collect(),
            rewards: rewards.iter().map(structure).collect(),
            init: None,
            vectors: Vec::new(),
            warnings: Vec::new(),
        },
        scope: Scope::new(limits),
        names: Names::default(),
    }
}
