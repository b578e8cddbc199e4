//! Runs of the system, out of sets of states.

use suppose_control::Stopped;
use suppose_model::fsm::{Inputs, State, Trace};

use crate::bdd::{Bdd, Var};
use crate::check::{Checker, Fair};

fn at(state: State) -> Trace {
    Trace {
        states: vec![state],
        inputs: Vec::new(),
        loops_to: None,
    }
}

fn last(trace: &Trace) -> &State {
    &trace.states[trace.states.len() - 1]
}

fn push(trace: &mut Trace, inputs: Inputs, state: State) {
    trace.inputs.push(inputs);
    trace.states.push(state);
}

/// What going backwards from a set of states finds.
pub(crate) enum Back {
    /// A shortest run from an initial state into the set.
    Run(Trace),
    /// All states but those from which the set is reached: the initial ones are among them, and no step leaves them.
    Never(Bdd),
}

impl Checker<'_> {
    /// Some state of a set.
    pub fn some_state(&self, set: &Bdd) -> Option<State> {
        let path = set.path()?;
        let bit = |var: Var| path.iter().any(|(v, value)| *v == var && *value);
        Some(self.relation().layout().state(false, bit))
    }

    /// The set of one state.
    pub fn only(&self, state: &State) -> Result<Bdd, Stopped> {
        let literals = self.relation().layout().literals(state);
        self.relation().bdds().minterm(&literals)
    }

    /// A step from a state into a set, by a step that satisfies a function of state and inputs.
    pub(crate) fn some_step(
        &self,
        from: &State,
        by: &Bdd,
        to: &Bdd,
    ) -> Result<Option<(Inputs, State)>, Stopped> {
        let relation = self.relation();
        let mut steps = self.only(from)?.and(by)?;
        for cluster in relation.clusters() {
            steps = steps.and(cluster)?;
        }
        let steps = steps.and(&relation.next(to)?)?;
        let Some(path) = steps.path() else {
            return Ok(None);
        };
        let bit = |var: Var| path.iter().any(|(v, value)| *v == var && *value);
        let layout = relation.layout();
        Ok(Some((layout.choice(bit), layout.state(true, bit))))
    }

    /// A shortest run from an initial state into a set; none if there is none. Where the run went is found backwards, so nothing but the
    /// reached states has to be kept.
    pub fn path_to(&mut self, set: &Bdd) -> Result<Option<Trace>, Stopped> {
        match self.reach(set)? {
            Some(here) => self.path_back(&here),
            None => Ok(None),
        }
    }

    /// Explores until states of a set are reached, and gives those; none if there are none.
    pub(crate) fn reach(&mut self, set: &Bdd) -> Result<Option<Bdd>, Stopped> {
        let mut here = self.reached().and(set)?;
        while here.is_false() {
            if !self.step()? {
                return Ok(None);
            }
            here = self.frontier().and(set)?;
        }
        Ok(Some(here))
    }

    /// A shortest run into a set of reached states.
    pub(crate) fn path_back(&self, here: &Bdd) -> Result<Option<Trace>, Stopped> {
        Ok(match self.back_from(here, Some(self.reached()))? {
            Back::Run(trace) => Some(trace),
            Back::Never(_) => None,
        })
    }

    /// Goes back from a set, within another if there is one, up to the first initial states.
    pub(crate) fn back_from(&self, set: &Bdd, within: Option<&Bdd>) -> Result<Back, Stopped> {
        let relation = self.relation();
        let mut rings = vec![set.clone()];
        let (mut all, mut new) = (set.clone(), set.clone());
        while !new.is_false() {
            let first = new.and(relation.init())?;
            if !first.is_false() {
                return self.along(&first, &rings).map(Back::Run);
            }
            new = relation.preimage(&new)?;
            if let Some(within) = within {
                new = new.and(within)?;
            }
            new = new.minus(&all)?;
            all = all.or(&new)?;
            rings.push(new.clone());
        }
        Ok(Back::Never(all.not()))
    }

    /// A run from a state of a set through others, the last one first: each has a step from every state of the one before that the run can be in.
    pub(crate) fn along(&self, first: &Bdd, sets: &[Bdd]) -> Result<Trace, Stopped> {
        let anything = self.relation().bdds().constant(true);
        let mut trace = at(self.some_state(first).unwrap_or_default());
        for to in sets.iter().rev().skip(1) {
            if let Some((inputs, state)) = self.some_step(last(&trace), &anything, to)? {
                push(&mut trace, inputs, state);
            }
        }
        Ok(trace)
    }

    /// Goes on through a set to a step that satisfies `by` into `to`, and takes it. False if there is no such way.
    pub(crate) fn go(
        &mut self,
        trace: &mut Trace,
        through: &Bdd,
        by: &Bdd,
        to: &Bdd,
    ) -> Result<bool, Stopped> {
        let start = self.only(last(trace))?;
        let goal = self.before_by(by, to)?.and(through)?;
        let mut rings = vec![goal.clone()];
        let mut all = goal;
        while !start.meets(&rings[rings.len() - 1])? {
            let last = &rings[rings.len() - 1];
            let new = self.before(last)?.and(through)?.minus(&all)?;
            if new.is_false() {
                return Ok(false);
            }
            all = all.or(&new)?;
            rings.push(new);
        }
        let anything = self.relation().bdds().constant(true);
        for ring in rings.iter().rev().skip(1) {
            if let Some((inputs, state)) = self.some_step(last(trace), &anything, ring)? {
                push(trace, inputs, state);
            }
        }
        match self.some_step(last(trace), by, to)? {
            Some((inputs, state)) => {
                push(trace, inputs, state);
                Ok(true)
            }
            None => Ok(false),
        }
    }

    /// Goes on from the last state for ever, fairly, within a set from all of whose states that is possible within the set.
    pub(crate) fn go_round(&mut self, trace: &mut Trace, set: &Bdd) -> Result<(), Stopped> {
        let hull = self.fair_hull(set)?;
        let anything = self.relation().bdds().constant(true);
        if !self.only(last(trace))?.meets(&hull)? {
            self.go(trace, set, &anything, &hull)?;
        }
        // Each failure to come back leaves a strongly connected part for ever, so this ends.
        loop {
            let start = trace.states.len() - 1;
            let head = self.only(last(trace))?;
            for constraint in self.fairness().to_vec() {
                match constraint {
                    Fair::Justice(step) | Fair::Compassion(_, step) => {
                        self.go(trace, &hull, &step, &hull)?;
                    }
                }
            }
            if self.go(trace, &hull, &anything, &head)? {
                trace.loops_to = Some(start);
                return Ok(());
            }
            if trace.states.len() - 1 == start
                && let Some((inputs, state)) = self.some_step(last(trace), &anything, &hull)?
            {
                push(trace, inputs, state);
            }
        }
    }

    /// Goes on by any steps until a state comes again; for systems where every state has a step and all runs count. False, with the run as
    /// it was, if that does not happen soon.
    pub(crate) fn wander(&self, trace: &mut Trace) -> Result<bool, Stopped> {
        const SOON: usize = 100;
        let first = trace.states.len() - 1;
        let anything = self.relation().bdds().constant(true);
        for _ in 0..SOON {
            let Some((inputs, state)) = self.some_step(last(trace), &anything, &anything)? else {
                break;
            };
            let seen = trace.states.iter().position(|s| *s == state);
            push(trace, inputs, state);
            if seen.is_some() {
                trace.loops_to = seen;
                return Ok(true);
            }
        }
        trace.states.truncate(first + 1);
        trace.inputs.truncate(first);
        Ok(false)
    }
}
