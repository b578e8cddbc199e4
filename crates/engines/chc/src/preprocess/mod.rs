//! Simpler clauses that give the same verdict, and the way back.
//!
//! Each pass is a file with its inverse. Whatever an engine finds about the simplified system is
//! translated to the original one: definitions pass by pass, the last one first; derivations at once, since every
//! clause remembers the original ones it is made of. So evidence is always about what the user wrote.

mod arguments;
mod clauses;
mod constants;
mod derivation;
mod inline;
mod slice;
mod split;
#[cfg(test)]
mod tests;
mod working;

use suppose_control::{Context, Stopped};
use suppose_model::chc::{Derivation, Horn, Pred, TermId, Terms};

use working::{Rule, Working};

/// A simplified system.
#[derive(Clone, Debug)]
pub struct Preprocessed {
    /// The system. Its store begins with that of the original: the same variables under the same numbers.
    pub horn: Horn,
    /// The way back.
    pub back: BackTranslation,
}

/// Translates evidence about a simplified system to the original one.
#[derive(Clone, Debug)]
pub struct BackTranslation {
    steps: Vec<Step>,
    rules: Vec<Rule>,
    /// For each predicate of the simplified system its number while passes ran.
    kept: Vec<Pred>,
    /// Of the original system.
    predicates: usize,
    /// Of the original system and those that passes added.
    all_predicates: usize,
}

/// What a pass did to definitions.
#[derive(Clone, Debug)]
enum Step {
    Slice(slice::Sliced),
    Constants(constants::Constants),
    Inline(Box<inline::Inlined>),
    Split(split::Split),
}

/// Which passes run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passes {
    /// Remove arguments without use and with one value only.
    pub arguments: bool,
    /// Resolve predicates away.
    pub inline: bool,
    /// Make several predicates of one by an argument that says where the control is.
    pub split: bool,
}

impl Default for Passes {
    fn default() -> Self {
        Passes {
            arguments: true,
            inline: true,
            split: true,
        }
    }
}

/// Rounds of all passes.
const ROUNDS: usize = 20;

/// Simplifies a system with all passes.
pub fn simplify(horn: &Horn, cx: &Context) -> Result<Preprocessed, Stopped> {
    simplify_with(horn, Passes::default(), cx)
}

/// Simplifies a system with some passes; slicing and the simplification of clauses always run.
pub fn simplify_with(horn: &Horn, passes: Passes, cx: &Context) -> Result<Preprocessed, Stopped> {
    let mut system = Working::new(horn);
    let mut steps = Vec::new();
    for _ in 0..ROUNDS {
        if !round(&mut system, passes, &mut steps, cx)? {
            break;
        }
    }
    let (simplified, kept) = system.finish();
    let back = BackTranslation {
        steps,
        kept,
        predicates: horn.predicates.len(),
        all_predicates: system.predicates.len(),
        rules: system.rules,
    };
    Ok(Preprocessed {
        horn: simplified,
        back,
    })
}

/// All passes once. Did anything change?
fn round(
    system: &mut Working,
    passes: Passes,
    steps: &mut Vec<Step>,
    cx: &Context,
) -> Result<bool, Stopped> {
    cx.check()?;
    let mut changed = clauses::run(system);
    if let Some(step) = slice::run(system) {
        steps.push(Step::Slice(step));
        changed = true;
    }
    if passes.arguments {
        if let Some(step) = constants::run(system) {
            steps.push(Step::Constants(step));
            clauses::run(system);
            changed = true;
        }
        changed |= arguments::run(system);
    }
    if passes.split
        && let Some(step) = split::run(system)
    {
        steps.push(Step::Split(step));
        changed = true;
    }
    if passes.inline {
        let inlined = inline::run(system, cx)?;
        changed |= !inlined.is_empty();
        let inlined = inlined.into_iter().map(|step| Step::Inline(Box::new(step)));
        steps.extend(inlined);
    }
    Ok(changed)
}

impl BackTranslation {
    /// Definitions of all original predicates from those of the simplified ones. The formulas are in `terms`, whose first
    /// variables are those of the simplified system. `None` if the definition of a predicate that was
    /// resolved away was not found within bounds.
    pub fn definitions(
        &self,
        terms: &mut Terms,
        solved: &[TermId],
        cx: &Context,
    ) -> Result<Option<Vec<TermId>>, Stopped> {
        let mut definitions = vec![Terms::FALSE; self.all_predicates];
        for (&pred, &definition) in self.kept.iter().zip(solved) {
            definitions[pred.index()] = definition;
        }
        for step in self.steps.iter().rev() {
            match step {
                Step::Slice(step) => step.definitions(&mut definitions),
                Step::Constants(step) => step.definitions(terms, &mut definitions),
                Step::Split(step) => step.definitions(terms, &mut definitions),
                Step::Inline(step) => {
                    if !step.definitions(terms, &mut definitions, cx)? {
                        return Ok(None);
                    }
                }
            }
        }
        definitions.truncate(self.predicates);
        Ok(Some(definitions))
    }

    /// A derivation from the original clauses. Every step of it is checked; `None` if one is wrong, which means that
    /// the derivation given was none. `terms` is the store of the simplified system.
    pub fn derivation(
        &self,
        original: &Horn,
        terms: &Terms,
        derivation: &Derivation,
    ) -> Option<Derivation> {
        derivation::translate(original, terms, &self.rules, derivation)
    }
}
