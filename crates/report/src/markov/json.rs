//! The report on a probabilistic system as the same JSON document as any other.

use suppose_model::lts::{Labels, State};
use suppose_model::mdp::{Certificate, Counterexample, Lpts, PropertyCertificate};

use super::number::decimal_amount;
use super::tree::reasons;
use super::{MarkovChecked, MarkovClaim, MarkovReport, MarkovVerdict, assumptions_of, tree_of};
use crate::Document;
use crate::json::{document, evidence, print, reason, rounds};
use crate::record::markov::{
    BranchRecord, ChoiceRecord, MarkovRecord, NodeRecord, PartRecord, SizesRecord, TreeRecord,
    ValueRecord,
};
use crate::record::{
    AssumptionRecord, ClaimRecord, EdgeRecord, EngineRecord, GuaranteeRecord, PremiseRecord, Shown,
};
use crate::words::label_name;

pub(super) fn json(report: &MarkovReport) -> String {
    let checked = report.checked.iter();
    let seconds = checked.clone().map(|c| c.answer.run.elapsed.as_secs_f64());
    let claims = checked.map(|c| claim(report, c)).collect();
    let components = report.system.components.iter();
    let values = report.checked.iter().filter_map(|c| {
        let value = c.answer.value.as_ref()?;
        let (lower, upper) = (&value.lower, &value.upper);
        Some(ValueRecord {
            claim: c.answer.claim.name().to_owned(),
            lower: lower.to_string(),
            upper: upper.to_string(),
            lower_decimal: decimal_amount(lower),
            upper_decimal: decimal_amount(upper),
        })
    });
    let record = MarkovRecord {
        components: components.map(|c| part(&c.lpts, &c.members)).collect(),
        specification: report.specification.map(|s| part(s, &[])),
        sizes: report.sizes.map(|s| SizesRecord {
            states: s.states,
            choices: s.choices,
            transitions: s.transitions,
            deadlocks: s.deadlocks,
        }),
        values: values.collect(),
    };
    let overall = report.overall();
    let mut whole = document(&report.base, &overall, claims, seconds.collect(), None);
    whole.markov = Some(record);
    print(&whole)
}

fn part(lpts: &Lpts, members: &[String]) -> PartRecord {
    PartRecord {
        name: lpts.name().to_owned(),
        members: members.to_vec(),
        states: lpts.states(),
        choices: lpts.all_choices().len(),
        transitions: lpts.branches(),
    }
}

fn claim(report: &MarkovReport, checked: &MarkovChecked) -> ClaimRecord {
    let answer = checked.answer;
    let run = &answer.run;
    let unknown = match &answer.verdict {
        MarkovVerdict::Unknown(reason) => Some(reason),
        _ => None,
    };
    let (assumptions, _) = assumptions_of(&answer.verdict);
    let labels = &report.system.labels;
    ClaimRecord {
        kind: match answer.claim {
            MarkovClaim::Conformance => "conformance",
            MarkovClaim::Property(_) => "property",
            MarkovClaim::Deadlock => "deadlock",
        },
        name: answer.claim.name().to_owned(),
        verdict: report.standing(checked).word(),
        reason: reason(&checked.evidence, unknown),
        engine: EngineRecord {
            name: answer.engine.clone(),
            why: checked.why_engine.clone(),
        },
        states: run.states,
        transitions: run.transitions,
        largest: run.largest,
        assumption_peak: run.assumption_peak,
        queries: run.queries,
        groups: run.groups.clone(),
        rounds: rounds(run),
        evidence: evidence(&checked.evidence, checked.certificate_file.clone()),
        assumptions: assumptions.iter().map(|a| assumption(a, labels)).collect(),
        premises: match &answer.verdict {
            MarkovVerdict::Conforms(proof) => premises(proof),
            MarkovVerdict::Holds(proof) => property_premises(proof),
            _ => Vec::new(),
        },
        counterexample: tree_of(&answer.verdict).map(|t| Shown::Markov(tree(report, answer, t))),
        so_far: None,
        search: None,
        effort: None,
        definitions: None,
        candidates: None,
        symbolic: None,
    }
}

/// One edge for each branch, with the number of its choice.
fn assumption(lpts: &Lpts, labels: &Labels) -> AssumptionRecord {
    let mut edges = Vec::new();
    for source in 0..lpts.states() as State {
        for (number, choice) in lpts.choices(source).iter().enumerate() {
            for (target, p) in lpts.dist(choice.dist).probabilities() {
                edges.push(EdgeRecord {
                    source,
                    label: label_name(labels, choice.label),
                    target,
                    choice: Some(number),
                    probability: Some(p.to_string()),
                });
            }
        }
    }
    AssumptionRecord {
        states: lpts.states(),
        transitions: edges.len(),
        initial: lpts.initial(),
        alphabet: lpts
            .alphabet()
            .iter()
            .map(|l| label_name(labels, *l))
            .collect(),
        edges,
        nodes: Vec::new(),
    }
}

fn guarantee(number: usize, last: &'static str) -> GuaranteeRecord {
    match number.checked_sub(1) {
        Some(before) => GuaranteeRecord {
            kind: "assumption",
            number: Some(before),
        },
        None => GuaranteeRecord {
            kind: last,
            number: None,
        },
    }
}

fn premises(proof: &Certificate) -> Vec<PremiseRecord> {
    let all = proof.premises.iter().enumerate();
    let premise = |(number, relation): (usize, &suppose_model::mdp::Relation)| PremiseRecord {
        components: proof.groups.get(number).cloned().unwrap_or_default(),
        assumptions: (number < proof.assumptions.len())
            .then_some(number)
            .into_iter()
            .collect(),
        guarantee: guarantee(number, "specification"),
        vectors: relation.len(),
    };
    all.map(premise).collect()
}

fn property_premises(proof: &PropertyCertificate) -> Vec<PremiseRecord> {
    let all = proof.groups.iter().enumerate();
    let premise = |(number, group): (usize, &Vec<usize>)| PremiseRecord {
        components: group.clone(),
        assumptions: (number < proof.assumptions.len())
            .then_some(number)
            .into_iter()
            .collect(),
        guarantee: guarantee(number, "property"),
        vectors: number
            .checked_sub(1)
            .map_or(0, |at| proof.folds.get(at).map_or(0, Vec::len)),
    };
    all.map(premise).collect()
}

fn tree(report: &MarkovReport, answer: &super::MarkovAnswer, found: &Counterexample) -> TreeRecord {
    let labels = &report.system.labels;
    let states = |node: usize| {
        let states = found.states[node].iter().enumerate();
        let name = |(c, s): (usize, &State)| match report.system.components.get(c) {
            Some(component) => component.lpts.state_name(*s),
            None => s.to_string(),
        };
        states.map(name).collect()
    };
    let choices = |node: usize| {
        let choice = |c: &suppose_model::mdp::Choice| ChoiceRecord {
            label: label_name(labels, c.label),
            branches: found
                .tree
                .dist(c.dist)
                .probabilities()
                .map(|(node, p)| BranchRecord {
                    node,
                    probability: p.to_string(),
                })
                .collect(),
        };
        found
            .tree
            .choices(node as State)
            .iter()
            .map(choice)
            .collect()
    };
    let why = match &answer.verdict {
        MarkovVerdict::Differs { refusals, .. } => reasons(report, found, refusals),
        _ => Vec::new(),
    };
    TreeRecord {
        nodes: (0..found.tree.states())
            .map(|node| NodeRecord {
                states: states(node),
                choices: choices(node),
            })
            .collect(),
        why,
    }
}
