//! One level: learns an assumption about the rest, over an alphabet that grows if it must.
//!
//! The teacher is that of Cobleigh, Giannakopoulou and Pasareanu (TACAS 2003): membership is asked
//! of the weakest assumption; a conjecture is checked with the group first (oracle 1) and then
//! handed to the rest (oracle 2). A run of the rest that a conjecture forbids either shows that the
//! conjecture is too strong, or breaks the guarantee. The alphabet grows as in Gheorghiu,
//! Giannakopoulou and Pasareanu (TACAS 2007): where the run of the rest and that of the group first
//! differ on the whole interface.

use suppose_control::{Context, Stopped};
use suppose_model::Reason;
use suppose_model::lts::{Label, Lts, LtsBuilder};
use suppose_refine::{self as refine, Abstraction, Analysed, Checked};

use super::chain::{Chain, Decision, Link, labels_in, mark};
use super::dfa::{Dfa, Symbol};
use super::learner::{Language, Learner};
use super::lstar::LStar;
use super::premise::PremiseCheck;
use super::replay::{GroupRun, parts, violation_along};
use super::ttt::Ttt;
use super::weakest::{Target, Weakest};
use super::{Algorithm, too_wide};
use crate::product::Product;
use crate::with_width;

/// Decides whether the groups from a level on keep a guarantee; the level is not the last.
pub(super) fn decide(
    chain: &mut Chain<'_>,
    level: usize,
    guarantee: &Lts,
) -> Result<Decision, Reason> {
    let mut above = chain.own[level].clone();
    mark(&mut above, guarantee.alphabet());
    let both = above.iter().zip(&chain.rest[level]);
    let interface: Vec<bool> = both.map(|(a, r)| *a && *r).collect();
    let mut visible = interface.clone();
    if chain.options.refine_alphabet {
        let mut first = chain.needed[level].clone();
        mark(&mut first, guarantee.alphabet());
        visible.iter_mut().zip(first).for_each(|(v, f)| *v &= f);
    }
    chain.blamed[level].clear();
    let group = &chain.groups[level];
    let left = parts(chain.network, group);
    let product = Product::new(&left, Some(guarantee), chain.network.labels.len());
    let mut side = Side {
        chain,
        level,
        group,
        product: &product,
        interface,
        visible,
    };
    for at in 0..side.chain.known[level].len() {
        let run = side.chain.known[level][at].clone();
        if let Some(joined) = side.confront(&run)? {
            return Ok(Decision::Fails(joined));
        }
    }
    loop {
        let run = match learn(side.chain, level, guarantee, &product, &side.visible)? {
            Decision::Fails(run) => run,
            holds => return Ok(holds),
        };
        let width = side.width();
        if let Some(joined) = side.confront(&run)? {
            return Ok(Decision::Fails(joined));
        }
        if side.width() == width {
            return Err(out_of_step());
        }
    }
}

/// A level's group and guarantee, held against runs of the rest.
struct Side<'c, 'a> {
    chain: &'c mut Chain<'a>,
    level: usize,
    group: &'c [usize],
    product: &'c Product,
    /// The labels shared with the rest.
    interface: Vec<bool>,
    /// Those of them that the assumption speaks of.
    visible: Vec<bool>,
}

impl Side<'_, '_> {
    fn width(&self) -> usize {
        self.visible.iter().filter(|v| **v).count()
    }

    /// A run of the group that breaks the guarantee along a run of the rest, as far as one sees.
    fn along(&self, run: &GroupRun, visible: &[bool]) -> Result<Option<GroupRun>, Reason> {
        let (network, cx) = (self.chain.network, self.chain.cx);
        let word = run.project(visible);
        violation_along(network, self.group, self.product, &word, visible, cx)
    }

    /// The run of both if they break the guarantee together. Otherwise the alphabet grows until
    /// the weakest assumption over it allows the run of the rest.
    fn confront(&mut self, run: &GroupRun) -> Result<Option<GroupRun>, Reason> {
        if let Some(own) = self.along(run, &self.interface)? {
            let joined = own.join(run, &self.interface);
            return joined.map(Some).ok_or_else(out_of_step);
        }
        while let Some(own) = self.along(run, &self.visible)? {
            let mine = own.project(&self.interface);
            let missing = first_difference(&mine, &run.project(&self.interface));
            let fresh: Vec<Label> = missing.filter(|l| !self.visible[l.index()]).collect();
            if fresh.is_empty() {
                return Err(out_of_step());
            }
            mark(&mut self.visible, &fresh);
            mark(&mut self.chain.needed[self.level], &fresh);
            if let Some(round) = self.chain.run.rounds.last_mut() {
                round.refined = "widened the alphabet".to_owned();
            }
        }
        Ok(None)
    }
}

fn out_of_step() -> Reason {
    Reason::Internal("the teacher's answers do not fit together".to_owned())
}

/// The labels at the first place where two words differ. The first is no prefix of the second.
fn first_difference(own: &[Label], rest: &[Label]) -> impl Iterator<Item = Label> + use<> {
    let same = own.iter().zip(rest).take_while(|(a, b)| a == b).count();
    let (a, b) = (own.get(same).copied(), rest.get(same).copied());
    a.into_iter().chain(b)
}

/// Learns over a fixed alphabet. Fails with a run of the rest that no assumption over it allows.
fn learn(
    chain: &mut Chain<'_>,
    level: usize,
    guarantee: &Lts,
    product: &Product,
    visible: &[bool],
) -> Result<Decision, Reason> {
    let alphabet = labels_in(visible);
    let (labels, cx) = (chain.network.labels.len(), chain.cx);
    let words = product.layout().words();
    let target = with_width!(words, target(product, &alphabet, labels, cx), else {
        return Err(too_wide(words));
    })?;
    let symbols = alphabet.len() as u32;
    let learner: Box<dyn Learner> = match chain.options.algorithm {
        Algorithm::LStar => Box::new(LStar::new(symbols, Language::PrefixClosed)),
        Algorithm::Ttt => Box::new(Ttt::new(symbols, Language::PrefixClosed)),
    };
    let mut lesson = Learning {
        chain,
        level,
        guarantee,
        visible,
        alphabet,
        target,
        learner,
        proof: Vec::new(),
    };
    let outcome = lesson
        .begin()
        .and_then(|()| refine::refine(&mut lesson, cx));
    let Learning {
        chain,
        target,
        proof,
        ..
    } = lesson;
    let (states, transitions) = target.explored();
    chain.run.queries += target.queries();
    chain.count(states, transitions);
    match outcome? {
        refine::Refined::Holds => Ok(Decision::Holds(proof)),
        refine::Refined::Fails(failed) => failed.map(Decision::Fails),
        refine::Refined::Stuck(why) => Err(Reason::Internal(why)),
    }
}

fn target<'a, const W: usize>(
    product: &'a Product,
    alphabet: &[Label],
    labels: usize,
    cx: &'a Context,
) -> Result<Box<dyn Target + 'a>, Stopped> {
    Ok(Box::new(Weakest::<W>::new(product, alphabet, labels, cx)?))
}

/// Learning one assumption over one alphabet.
struct Learning<'c, 'a> {
    chain: &'c mut Chain<'a>,
    level: usize,
    guarantee: &'c Lts,
    visible: &'c [bool],
    alphabet: Vec<Label>,
    target: Box<dyn Target + 'c>,
    learner: Box<dyn Learner>,
    proof: Vec<Link>,
}

/// Why a conjecture is not the assumption wanted.
enum Objection {
    /// With this run of the group, which the conjecture allows, the guarantee breaks.
    Group(GroupRun),
    /// It forbids this run of the rest.
    Rest(GroupRun),
    /// No premise could be explored.
    Halted(Reason),
}

impl Learning<'_, '_> {
    /// The first conjecture, so that there is a size from the start; it is right about the runs
    /// that are known.
    fn begin(&mut self) -> Result<(), Stopped> {
        self.learner.conjecture(&mut *self.target)?;
        let level = self.level;
        let runs = self.chain.known[level]
            .iter()
            .chain(&self.chain.blamed[level]);
        let words: Vec<Vec<Symbol>> = runs.map(|run| self.word(run)).collect();
        words.iter().try_for_each(|word| self.teach(word))
    }

    fn word(&self, run: &GroupRun) -> Vec<Symbol> {
        let labels = run.project(self.visible);
        let symbol = |label: &Label| self.alphabet.binary_search(label).ok().map(|s| s as u32);
        labels.iter().filter_map(symbol).collect()
    }

    fn object(&mut self, conjecture: &Dfa) -> Result<Option<Objection>, Reason> {
        let states = accepting_states(conjecture);
        let (level, width) = (self.level, self.alphabet.len());
        if self.chain.run.rounds.len() as u64 >= self.chain.cx.max_iterations {
            return Err(Reason::Iterations);
        }
        self.chain.conjectured(level, states, width);
        let Some(lts) = assumption(conjecture, &self.alphabet, level) else {
            // Not even the empty run is allowed, and every rest has that one.
            let rest = self.chain.groups[level + 1..].concat();
            let run = GroupRun::empty(self.chain.network, rest);
            return Ok(Some(Objection::Rest(run)));
        };
        let relation = match self.chain.premise(level, Some(&lts), self.guarantee)? {
            PremiseCheck::Holds(relation) => relation,
            PremiseCheck::Fails(run) => {
                self.chain.blame(level, &run);
                return Ok(Some(Objection::Group(run)));
            }
        };
        match self.chain.decide(level + 1, &lts)? {
            Decision::Fails(run) => {
                self.chain.remember(level, &run);
                Ok(Some(Objection::Rest(run)))
            }
            Decision::Holds(mut links) => {
                let assumption = Some(lts);
                links.push(Link {
                    assumption,
                    relation,
                });
                self.proof = links;
                Ok(None)
            }
        }
    }

    /// The next conjecture that does not accept what is known to be wrong.
    fn consistent(&mut self) -> Result<Dfa, Stopped> {
        loop {
            let conjecture = self.learner.conjecture(&mut *self.target)?;
            let edges = conjecture.states() as u64 * self.alphabet.len() as u64;
            self.chain.cx.account(10 * edges);
            let words = self.target.refute(&conjecture)?;
            if words.is_empty() {
                return Ok(conjecture);
            }
            words.iter().try_for_each(|word| self.teach(word))?;
        }
    }

    /// Teaches a word until the conjecture is right about it.
    fn teach(&mut self, word: &[Symbol]) -> Result<(), Stopped> {
        while self.learner.refine(word, &mut *self.target)? {
            self.chain.cx.check()?;
        }
        Ok(())
    }

    fn note(&mut self, what: &str) {
        if let Some(round) = self.chain.run.rounds.last_mut() {
            round.refined = what.to_owned();
        }
    }
}

impl Abstraction for Learning<'_, '_> {
    type Counterexample = Objection;
    type Real = Result<GroupRun, Reason>;

    fn size(&self) -> u64 {
        self.learner.states() as u64
    }

    fn check(&mut self, _: &Context) -> Result<Checked<Objection>, Stopped> {
        let conjecture = self.consistent()?.minimised();
        Ok(match self.object(&conjecture) {
            Ok(None) => Checked::Holds,
            Ok(Some(objection)) => Checked::Fails(objection),
            Err(reason) => Checked::Fails(Objection::Halted(reason)),
        })
    }

    fn analyse(&mut self, found: Objection, _: &Context) -> Result<Analysed<Self::Real>, Stopped> {
        match found {
            Objection::Halted(reason) => Ok(Analysed::Real(Err(reason))),
            Objection::Group(run) => {
                let word = self.word(&run);
                self.note("made the assumption stronger");
                self.teach(&word)?;
                Ok(Analysed::Refined)
            }
            Objection::Rest(run) => {
                let word = self.word(&run);
                if !self.target.member(&word)? {
                    return Ok(Analysed::Real(Ok(run)));
                }
                self.note("made the assumption weaker");
                self.teach(&word)?;
                Ok(Analysed::Refined)
            }
        }
    }
}

fn accepting_states(dfa: &Dfa) -> u64 {
    (0..dfa.states() as u32)
        .filter(|s| dfa.accepting(*s))
        .count() as u64
}

/// The assumption that a conjecture stands for: its accepting states. A missing edge is what it
/// forbids. None if it forbids even the empty run.
fn assumption(dfa: &Dfa, alphabet: &[Label], level: usize) -> Option<Lts> {
    if !dfa.accepting(dfa.initial()) {
        return None;
    }
    let mut number = vec![0; dfa.states()];
    let mut builder = LtsBuilder::new(format!("A{}", level + 1));
    builder.extend_alphabet(alphabet.iter().copied());
    for state in 0..dfa.states() as u32 {
        if dfa.accepting(state) {
            number[state as usize] = builder.state();
        }
    }
    for state in (0..dfa.states() as u32).filter(|s| dfa.accepting(*s)) {
        for (symbol, label) in alphabet.iter().enumerate() {
            let target = dfa.step(state, symbol as Symbol);
            if dfa.accepting(target) {
                builder.edge(number[state as usize], *label, number[target as usize]);
            }
        }
    }
    builder.initial(number[dfa.initial() as usize]);
    Some(builder.build())
}
