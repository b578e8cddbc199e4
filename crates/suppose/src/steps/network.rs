//! Networks of components: a step is an action of all components that share it.

use suppose_model::lts::{ComponentKind, Edge, Label, Network, State as Local};
use suppose_model::{Claim, Counterexample};

use super::{
    EnabledStep, Ending, Enumeration, Failed, Leads, Path, PathStep, State, Status, StepOutcome,
    Steps, Violation, foreign,
};

/// Ways to take part in actions from one state that are listed. Components with several edges for one action multiply.
const MOST: usize = 10_000;

/// A property that does not allow what happened.
const VIOLATED: Local = Local::MAX;

/// A network, step by step.
///
/// Properties run along, and where one is violated, or a component is in its error state, the run ends, as with LTSA. For a run against one
/// claim ([`NetworkSteps::for_claim`]) only that one is watched.
#[derive(Debug)]
pub struct NetworkSteps<'a> {
    network: &'a Network,
    /// For every label, the components that take part in it.
    participants: Vec<Vec<usize>>,
    /// The properties that run along, by number.
    watched: Vec<usize>,
    /// The one claim that is asked for. Then the marks of errors are steps, as engines have them.
    claim: Option<Claim>,
    /// Labels that are outside priority here, and when deadlock is asked for.
    outside: Vec<Label>,
    outside_deadlock: Vec<Label>,
}

/// One step in numbers.
struct Move {
    label: Label,
    who: Vec<usize>,
    target: Vec<Local>,
}

impl<'a> NetworkSteps<'a> {
    /// Of a network with all its properties.
    pub fn new(network: &'a Network) -> Self {
        NetworkSteps::with(network, None)
    }

    /// Of a network as engines see it when they decide one claim.
    pub fn for_claim(network: &'a Network, claim: Claim) -> Self {
        NetworkSteps::with(network, Some(claim))
    }

    fn with(network: &'a Network, claim: Option<Claim>) -> Self {
        let is_marks = |n: &usize| {
            let alphabet = network.properties[*n].lts.alphabet();
            !network.errors.is_empty() && alphabet == network.errors
        };
        let numbers = 0..network.properties.len();
        let watched = match claim {
            None => numbers.filter(|n| !is_marks(n)).collect(),
            Some(Claim::DeadlockFree | Claim::Liveness(_)) => Vec::new(),
            Some(Claim::Property(number)) => numbers.filter(|n| *n == number).collect(),
        };
        // Without a claim no asserted property is asked for.
        let asked = claim.unwrap_or(Claim::Property(network.properties.len()));
        NetworkSteps {
            network,
            participants: network.participants(),
            watched,
            claim,
            outside: network.outside(asked),
            outside_deadlock: network.outside(Claim::DeadlockFree),
        }
    }

    fn start(&self) -> State {
        let components = self.network.components.iter();
        let components = components.map(|c| c.lts.initial());
        let properties = self.watched.iter();
        let properties = properties.map(|n| self.network.properties[*n].lts.initial());
        State::new(components.chain(properties).collect::<Vec<_>>())
    }

    fn split<'s>(&self, state: &'s State) -> Result<(&'s [Local], &'s [Local]), Failed> {
        let components = self.network.components.len();
        match state.words().len() == components + self.watched.len() {
            true => Ok(state.words().split_at(components)),
            false => Err(foreign()),
        }
    }

    fn edges(&self, component: usize, at: Local) -> Result<&'a [Edge], Failed> {
        let lts = &self.network.components[component].lts;
        match (at as usize) < lts.states() {
            true => Ok(lts.edges(at)),
            false => Err(foreign()),
        }
    }

    fn is_mark(&self, label: Label) -> bool {
        self.network.errors.binary_search(&label).is_ok()
    }

    /// Where the run ends because something is violated.
    fn violation(&self, state: &State) -> Result<Option<Violation>, Failed> {
        let (components, properties) = self.split(state)?;
        for (number, at) in self.watched.iter().zip(properties) {
            if *at == VIOLATED {
                return Ok(Some(Violation {
                    property: self.network.properties[*number].name().to_owned(),
                    why: "the property does not allow this step".to_owned(),
                }));
            }
        }
        if self.claim.is_some() {
            return Ok(None);
        }
        for (number, at) in components.iter().enumerate() {
            if self
                .edges(number, *at)?
                .iter()
                .any(|e| self.is_mark(e.label))
            {
                let name = self.network.components[number].lts.name();
                return Ok(Some(Violation {
                    property: suppose_model::lts::ERROR_PROPERTY.to_owned(),
                    why: format!("{name} is in its error state"),
                }));
            }
        }
        Ok(None)
    }

    /// Every label that can happen, once, priority aside; `tau` once for every component that can do it.
    fn labels(&self, now: &[Local]) -> Result<Vec<(Label, Vec<usize>)>, Failed> {
        let mut found = Vec::new();
        for (number, at) in now.iter().enumerate() {
            let mut before = None;
            for edge in self.edges(number, *at)? {
                let label = edge.label;
                if before.replace(label) == Some(label) {
                    continue;
                }
                if label.is_tau() {
                    found.push((label, vec![number]));
                    continue;
                }
                let who = &self.participants[label.index()];
                let can = |c: &usize| {
                    let lts = &self.network.components[*c].lts;
                    !lts.successors(now[*c], label).is_empty()
                };
                if who.first() == Some(&number) && who.iter().all(can) {
                    found.push((label, who.clone()));
                }
            }
        }
        Ok(found)
    }

    /// Leaves out what priority keeps from happening.
    fn keep_preferred(&self, found: &mut Vec<(Label, Vec<usize>)>, outside: &[Label]) {
        let Some(priority) = &self.network.priority else {
            return;
        };
        let is_outside = |l: Label| outside.binary_search(&l).is_ok();
        let preferred = |l: Label| priority.labels.contains(&l) != priority.low && !is_outside(l);
        if found.iter().any(|(label, _)| preferred(*label)) {
            found.retain(|(label, _)| preferred(*label) || is_outside(*label));
        }
    }

    fn moves(&self, state: &State) -> Result<(Vec<Move>, bool), Failed> {
        let (now, _) = self.split(state)?;
        let mut found = self.labels(now)?;
        self.keep_preferred(&mut found, &self.outside);
        let mut moves = Vec::new();
        for (label, who) in found {
            let mut targets = vec![now.to_vec()];
            for component in &who {
                let lts = &self.network.components[*component].lts;
                let edges = lts.successors(now[*component], label);
                let mut next = Vec::new();
                for target in &targets {
                    for edge in edges {
                        if moves.len() + next.len() >= MOST {
                            break;
                        }
                        let mut target = target.clone();
                        target[*component] = edge.target;
                        next.push(target);
                    }
                }
                targets = next;
            }
            for target in targets {
                let who = who.clone();
                moves.push(Move { label, who, target });
            }
            if moves.len() >= MOST {
                return Ok((moves, true));
            }
        }
        Ok((moves, false))
    }

    /// Lets the properties go along.
    fn after(&self, state: &State, step: &Move) -> Result<State, Failed> {
        let (_, properties) = self.split(state)?;
        let mut words = step.target.clone();
        for (number, at) in self.watched.iter().zip(properties) {
            let lts = &self.network.properties[*number].lts;
            let stays = *at == VIOLATED || !lts.has_label(step.label);
            words.push(match stays {
                true => *at,
                false => lts
                    .successors(*at, step.label)
                    .first()
                    .map_or(VIOLATED, |e| e.target),
            });
        }
        Ok(State::new(words))
    }

    fn step(&self, state: &State, step: &Move) -> Result<EnabledStep, Failed> {
        let name = |c: &usize| self.network.components[*c].lts.name().to_owned();
        let is_process = |c: &&usize| self.network.components[**c].kind == ComponentKind::Process;
        Ok(EnabledStep {
            label: self.network.labels.display(step.label),
            actors: step.who.iter().filter(is_process).map(name).collect(),
            place: None,
            outcomes: vec![StepOutcome {
                probability: None,
                leads: Leads::To(self.after(state, step)?),
            }],
        })
    }

    /// A counterexample of the claim, in steps of the network.
    pub fn follow(&self, run: &Counterexample) -> Result<Path, Failed> {
        let start = self.start();
        let mut state = start.clone();
        let mut steps = Vec::new();
        for (number, wanted) in run.steps.iter().enumerate() {
            let (moves, _) = self.moves(&state)?;
            let is_it = |m: &&Move| m.label == wanted.label && m.target == wanted.states;
            let Some(found) = moves.iter().find(is_it) else {
                let why = format!("step {} cannot be taken there", number + 1);
                return Err(Failed::Run(why));
            };
            let step = self.step(&state, found)?;
            state = self.after(&state, found)?;
            steps.push(PathStep {
                step,
                outcome: 0,
                remarks: Vec::new(),
            });
        }
        let (property, why) = match run.claim {
            Claim::DeadlockFree => ("deadlock", "no component can do anything"),
            Claim::Property(number) => {
                let property = self.network.properties.get(number);
                let name = property.map_or("", |p| p.name());
                (name, "the property does not allow this step")
            }
            Claim::Liveness(number) => {
                let claim = self.network.liveness.get(number);
                let name = claim.map_or("", |l| l.name.as_str());
                (name, "what should happen does not")
            }
        };
        let loops = run.lasso.as_ref().map(|lasso| lasso.cycle);
        Ok(Path {
            start: Some(start),
            steps,
            loops_to: loops.filter(|cycle| *cycle < run.steps.len()),
            shows: Violation {
                property: property.to_owned(),
                why: why.to_owned(),
            },
            remarks: Vec::new(),
        })
    }

    fn is_success(&self, now: &[Local]) -> bool {
        let there = |(end, at): (&Option<Local>, &Local)| end.is_none_or(|e| e == *at);
        let success = self.network.success.as_ref();
        success.is_some_and(|ends| ends.iter().zip(now).all(there))
    }
}

impl Steps for NetworkSteps<'_> {
    fn initial(&mut self) -> Result<Enumeration<State>, Failed> {
        Ok(Enumeration::all(vec![self.start()]))
    }

    fn enabled(&mut self, state: &State) -> Result<Enumeration<EnabledStep>, Failed> {
        if self.violation(state)?.is_some() {
            return Ok(Enumeration::all(Vec::new()));
        }
        let (moves, more) = self.moves(state)?;
        let list: Result<Vec<EnabledStep>, Failed> =
            moves.iter().map(|m| self.step(state, m)).collect();
        Ok(Enumeration { list: list?, more })
    }

    fn show(&self, state: &State) -> Vec<(String, String)> {
        let Ok((components, properties)) = self.split(state) else {
            return Vec::new();
        };
        let components = self.network.components.iter().zip(components);
        let components = components.filter(|(c, _)| c.kind == ComponentKind::Process);
        let components = components.map(|(c, at)| (c.lts.name().to_owned(), c.lts.state_name(*at)));
        let properties = self.watched.iter().zip(properties).map(|(number, at)| {
            let lts = &self.network.properties[*number].lts;
            let shown = match *at {
                VIOLATED => "violated".to_owned(),
                at => lts.state_name(at),
            };
            (lts.name().to_owned(), shown)
        });
        components.chain(properties).collect()
    }

    fn status(&mut self, state: &State) -> Result<Status, Failed> {
        let ending = match self.violation(state)? {
            Some(violation) => Some(Ending::Violated(violation)),
            None => {
                let (now, _) = self.split(state)?;
                let mut found = self.labels(now)?;
                self.keep_preferred(&mut found, &self.outside_deadlock);
                let processes = &self.network.components;
                let acts = |c: &usize| processes[*c].kind == ComponentKind::Process;
                match found.iter().any(|(_, who)| who.iter().any(acts)) {
                    true => None,
                    false if self.is_success(now) => Some(Ending::End),
                    false => Some(Ending::Deadlock("no component can do anything".to_owned())),
                }
            }
        };
        Ok(Status {
            ending,
            violated: Vec::new(),
        })
    }
}
