//! What the refinement leaves behind: assumptions, certificates and counterexamples.

use rustc_hash::FxHashSet;
use suppose_control::{Context, Event, Stopped};
use suppose_model::lts::{Label, Layout, Lts, Network, PackedStates};
use suppose_model::{
    Assumption, Certificate, Claim, Guarantee, Node, Premise, Reason, Run, SoFar, Verdict,
};

use super::Requirement;
use super::engine::Engine;
use super::process::{Composed, Process};
use super::trace;
use crate::explore::{Exploration, Goal, Pause};
use crate::monolithic;
use crate::product::Product;
use crate::with_width;

/// How many states of a class are named.
const EXAMPLES: usize = 4;

impl Engine<'_> {
    /// The assumption, and what each of its states stands for.
    fn assumption(&self, composed: &Composed) -> Assumption {
        let lts = self.process.to_lts("A", &self.labels);
        let mut nodes = vec![Node::default(); self.process.states];
        for (state, class) in self.class_of.iter().enumerate() {
            let Some(node) = self.entry[*class as usize] else {
                continue;
            };
            let node = &mut nodes[node as usize];
            node.count += 1;
            if node.examples.len() < EXAMPLES {
                node.examples.push(composed.lts.state_name(state as u32));
            }
        }
        Assumption { lts, nodes }
    }

    pub(super) fn requirement(mut self, composed: &Composed, components: &[usize]) -> Requirement {
        let quotient = self.quotient.as_ref().unwrap_or(&self.process);
        let environment = self.members.iter();
        Requirement {
            components: components.to_vec(),
            process: composed.lts.clone(),
            quotient: quotient.to_lts(composed.lts.name(), &self.labels),
            assumption: self.assumption(composed),
            environment: environment
                .map(|m| (m.component, m.partition.len()))
                .collect(),
            class_of: std::mem::take(&mut self.class_of),
            entry: std::mem::take(&mut self.entry),
            decided: self.decided,
            rounds: std::mem::take(&mut self.rounds),
            states: self.states,
            transitions: self.transitions,
            largest: self.largest,
        }
    }
}

/// The pairs of a state and the assumption's state that a run can come to.
pub(super) fn follow(
    lts: &Lts,
    entry: impl Fn(u32) -> Option<u32>,
    visible: impl Fn(Label) -> bool,
    cx: &Context,
) -> Result<Vec<(u32, u32)>, Reason> {
    let lost = || Reason::Internal("a class that is entered has no state".to_owned());
    let start = (lts.initial(), entry(lts.initial()).ok_or_else(lost)?);
    let mut seen = FxHashSet::from_iter([start]);
    let mut pairs = vec![start];
    let mut next = 0;
    while next < pairs.len() {
        if next.is_multiple_of(1024) {
            cx.check()?;
            cx.reserve(pairs.len() as u64 * 24)?;
        }
        let (state, class) = pairs[next];
        next += 1;
        for edge in lts.edges(state) {
            let class = match visible(edge.label) {
                true => entry(edge.target).ok_or_else(lost)?,
                false => class,
            };
            if seen.insert((edge.target, class)) {
                pairs.push((edge.target, class));
            }
        }
    }
    Ok(pairs)
}

pub(super) fn pack(
    sizes: Vec<u32>,
    vectors: impl Iterator<Item = Vec<u32>>,
) -> Result<PackedStates, Reason> {
    let layout = Layout::new(sizes);
    let mut relation = PackedStates::new(layout.clone());
    for vector in vectors {
        let narrow = || Reason::Internal("a state does not fit its slot".to_owned());
        relation.push(&layout.pack(&vector).ok_or_else(narrow)?);
    }
    Ok(relation)
}

/// A refinement that has ended, and what it was about.
pub(super) struct Refinement<'a> {
    pub network: &'a Network,
    pub property: usize,
    /// The components that make up the process.
    pub components: &'a [usize],
    pub composed: &'a Composed,
    pub engine: &'a Engine<'a>,
}

impl Refinement<'_> {
    /// The verdict with its evidence.
    pub fn verdict(&self, run: &mut Run, cx: &Context) -> Result<Verdict, Reason> {
        let decided = self.engine.decided;
        if decided != Some(false) {
            cx.emit(Event::Phase("writing the certificate".to_owned()));
            let proof = self.certificate(decided == Some(true), run, cx)?;
            if let Some(certificate) = proof {
                return Ok(Verdict::Holds(Box::new(certificate)));
            }
            if decided == Some(true) {
                let why = "the assumption does not prove what the refinement found".to_owned();
                return Err(Reason::Internal(why));
            }
        }
        if decided == Some(false) {
            let region = self.engine.whole(self.composed, cx)?;
            run.states += region.len() as u64;
            run.transitions += region.transitions;
            let found = trace::along_must_edges(
                self.network,
                self.property,
                &region,
                &self.engine.members,
                self.composed,
                self.components,
                cx,
            )?;
            if let Some(found) = found {
                return Ok(Verdict::Violated(found));
            }
        }
        counterexample(self.network, self.property, run, cx)
    }

    /// The proof by the assumption as it is, if the property is known to hold and there is time for it.
    pub fn held(&self, run: &mut Run, cx: &Context) -> Option<Verdict> {
        if self.engine.decided != Some(true) {
            return None;
        }
        let proof = self.certificate(true, run, cx).ok().flatten()?;
        Some(Verdict::Holds(Box::new(proof)))
    }

    /// What the process guarantees by now, if there is time to say why.
    pub fn so_far(&self, cx: &Context) -> Option<Box<SoFar>> {
        Some(Box::new(SoFar {
            premise: self.process_premise(cx).ok()?,
            assumption: self.engine.assumption(self.composed),
        }))
    }

    /// Why the process guarantees the assumption: from a class, private steps stay, others lead to
    /// the class they enter.
    fn process_premise(&self, cx: &Context) -> Result<Premise, Reason> {
        let (engine, composed) = (self.engine, self.composed);
        let entry = |state: u32| engine.entry[engine.class_of[state as usize] as usize];
        let visible = |label: Label| engine.labels[1..].binary_search(&label).is_ok();
        let pairs = follow(&composed.lts, entry, visible, cx)?;
        let vectors = pairs.iter().map(|(state, class)| {
            let mut vector = composed.vector(*state);
            vector.push(*class);
            vector
        });
        let mut slots = composed.sizes.clone();
        slots.push(engine.process.states as u32);
        Ok(Premise {
            components: self.components.to_vec(),
            assumptions: Vec::new(),
            guarantee: Guarantee::Assumption(0),
            relation: pack(slots, vectors)?.into(),
        })
    }

    /// The proof by the assumption, with the environment's members abstracted or as they are; none
    /// if the property does not hold under it.
    fn certificate(
        &self,
        abstracted: bool,
        run: &mut Run,
        cx: &Context,
    ) -> Result<Option<Certificate>, Reason> {
        let (network, property, engine) = (self.network, self.property, self.engine);
        let mut assumptions = vec![engine.assumption(self.composed)];
        let mut premises = vec![self.process_premise(cx)?];
        let mut plain = Vec::new();
        for member in &engine.members {
            if !abstracted || member.partition.is_discrete() {
                plain.push(member.component);
                continue;
            }
            let number = assumptions.len();
            let summary = Summary::new(&member.may, member.partition.classes());
            let name = format!("A{}", number + 1);
            assumptions.push(summary.assumption(member.lts, &name));
            let relation = summary.relation(member.lts, cx)?;
            premises.push(Premise {
                components: vec![member.component],
                assumptions: Vec::new(),
                guarantee: Guarantee::Assumption(number),
                relation: relation.into(),
            });
        }
        let parts: Vec<&Lts> = plain
            .iter()
            .map(|i| &network.components[*i].lts)
            .chain(assumptions.iter().map(|a| &a.lts))
            .collect();
        let found = prove(&parts, &network.properties[property].lts, network, run, cx)?;
        Ok(found.map(|relation| {
            premises.push(Premise {
                components: plain,
                assumptions: (0..assumptions.len()).collect(),
                guarantee: Guarantee::Property(property),
                relation: relation.into(),
            });
            Certificate {
                claim: Claim::Property(property),
                assumptions,
                premises,
                liveness: None,
            }
        }))
    }
}

/// A run of the system itself.
fn counterexample(
    network: &Network,
    property: usize,
    run: &mut Run,
    cx: &Context,
) -> Result<Verdict, Reason> {
    cx.emit(Event::Phase("finding a run".to_owned()));
    let answer = monolithic::check(network, Claim::Property(property), cx);
    run.states += answer.run.states;
    run.transitions += answer.run.transitions;
    run.largest = run.largest.max(answer.run.largest);
    match answer.verdict {
        Verdict::Holds(_) => Err(Reason::Internal(
            "the refinement found a violation that is none".to_owned(),
        )),
        other => Ok(other),
    }
}

/// A component by its classes.
pub(super) struct Summary<'a> {
    class_of: &'a [u32],
    process: Process,
    labels: Vec<Label>,
    entry: Vec<Option<u32>>,
}

impl<'a> Summary<'a> {
    pub fn new(quotient: &Lts, class_of: &'a [u32]) -> Self {
        let mut labels = vec![Label::TAU];
        labels.extend(quotient.alphabet());
        let channel = |label: Label| labels.binary_search(&label).unwrap_or(0) as u32;
        let edges = quotient.all_edges().map(|(s, l, t)| (channel(l), s, t));
        let process = Process::new(
            quotient.states(),
            quotient.initial(),
            labels.len(),
            edges.collect(),
        );
        let (process, entry) = match process.has_private() {
            true => process.without_private(),
            false => {
                let same = (0..process.states as u32).map(Some).collect();
                (process, same)
            }
        };
        Summary {
            class_of,
            process,
            labels,
            entry,
        }
    }

    pub fn assumption(&self, lts: &Lts, name: &str) -> Assumption {
        let mut nodes = vec![Node::default(); self.process.states];
        for (state, class) in self.class_of.iter().enumerate() {
            if let Some(node) = self.entry[*class as usize] {
                let node = &mut nodes[node as usize];
                node.count += 1;
                if node.examples.len() < EXAMPLES {
                    node.examples.push(lts.state_name(state as u32));
                }
            }
        }
        Assumption {
            lts: self.process.to_lts(name, &self.labels),
            nodes,
        }
    }

    pub fn relation(&self, lts: &Lts, cx: &Context) -> Result<PackedStates, Reason> {
        let entry = |state: u32| self.entry[self.class_of[state as usize] as usize];
        let pairs = follow(lts, entry, |label| !label.is_tau(), cx)?;
        let sizes = vec![lts.states() as u32, self.process.states as u32];
        pack(sizes, pairs.into_iter().map(|(s, c)| vec![s, c]))
    }
}

/// Explores a product under a property; none if the property is violated.
pub(super) fn prove(
    parts: &[&Lts],
    property: &Lts,
    network: &Network,
    run: &mut Run,
    cx: &Context,
) -> Result<Option<PackedStates>, Reason> {
    let product = Product::new(parts, Some(property), network.labels.len());
    let words = product.layout().words();
    with_width!(words, prove_wide(&product, run, cx), else {
        Err(Reason::Unsupported(super::TOO_WIDE.to_owned()))
    })
}

fn prove_wide<const W: usize>(
    product: &Product,
    run: &mut Run,
    cx: &Context,
) -> Result<Option<PackedStates>, Reason> {
    let mut exploration = Exploration::<W>::new(product);
    let result: Result<Pause, Stopped> = exploration.run(product, Goal::Violations, cx);
    run.states += exploration.states() as u64;
    run.transitions += exploration.transitions();
    run.largest = run.largest.max(exploration.states() as u64);
    Ok(match result? {
        Pause::Complete => Some(exploration.into_states(product)),
        _ => None,
    })
}
