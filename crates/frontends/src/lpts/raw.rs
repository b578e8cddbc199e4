//! What all forms have in common: numbers, lines, and the building of the system.

use fixedbitset::FixedBitSet;
use suppose_model::mdp::{Label, Labels, LptsBuilder, RewardsBuilder, State};
use suppose_number::{Int, Rat};
use suppose_source::{Diagnostic, FileId, ParserLimits, SourceFile, Sources, Span};

use super::Explicit;

/// A system as it is being read.
pub(super) struct Raw {
    builder: LptsBuilder,
    states: usize,
    branches: usize,
    limits: ParserLimits,
    propositions: Vec<(String, FixedBitSet)>,
    rewards: Vec<String>,
    earned: RewardsBuilder,
    /// Sorted by state.
    of_states: Vec<(State, Vec<Rat>)>,
    pub(super) warnings: Vec<Diagnostic>,
}

impl Raw {
    pub(super) fn new(name: &str, limits: &ParserLimits) -> Raw {
        Raw {
            builder: LptsBuilder::new(name),
            states: 0,
            branches: 0,
            limits: *limits,
            propositions: Vec::new(),
            rewards: Vec::new(),
            earned: RewardsBuilder::new(0),
            of_states: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// There are this many states.
    pub(super) fn states(&mut self, count: usize, span: Span) -> Result<(), Diagnostic> {
        let limit = self.limits.states.min(u32::MAX as usize - 1);
        if count > limit {
            return Err(Diagnostic::error(span, format!("more than {limit} states")));
        }
        if count == 0 {
            return Err(Diagnostic::error(span, "there is no state"));
        }
        self.states = count;
        self.builder.states(count);
        Ok(())
    }

    /// Is there a state of that number?
    pub(super) fn state(&self, number: u64, span: Span) -> Result<State, Diagnostic> {
        match u32::try_from(number) {
            Ok(state) if (state as usize) < self.states => Ok(state),
            _ => Err(
                Diagnostic::error(span, format!("there is no state {number}"))
                    .label(format!("states are 0 to {}", self.states.saturating_sub(1))),
            ),
        }
    }

    pub(super) fn initial(&mut self, state: State) {
        self.builder.initial(state);
    }

    /// May begin there, too.
    pub(super) fn also_initial(&mut self, state: State) {
        self.builder.also_initial(state);
    }

    /// There are these reward structures: every state says what it earns, in the order of their numbers, and every choice.
    pub(super) fn rewards(&mut self, names: Vec<String>) {
        self.earned = RewardsBuilder::new(names.len());
        self.rewards = names;
    }

    /// What a state earns; those of which nothing is said earn nothing.
    pub(super) fn earns(&mut self, state: State, amounts: Vec<Rat>) {
        self.of_states.push((state, amounts));
    }

    pub(super) fn name(&mut self, state: State, name: &str) {
        self.builder.state_name(state, name);
    }

    pub(super) fn alphabet(&mut self, label: Label) {
        self.builder.extend_alphabet([label]);
    }

    pub(super) fn choice(
        &mut self,
        state: State,
        label: Label,
        parts: &[(State, Rat)],
        span: Span,
    ) -> Result<(), Diagnostic> {
        let nothing = vec![Rat::ZERO; self.rewards.len()];
        self.choice_that_earns(state, label, parts, nothing, span)
    }

    pub(super) fn choice_that_earns(
        &mut self,
        state: State,
        label: Label,
        parts: &[(State, Rat)],
        earned: Vec<Rat>,
        span: Span,
    ) -> Result<(), Diagnostic> {
        self.branches += parts.len();
        let limit = self.limits.transitions.min(u32::MAX as usize - 1);
        if self.branches > limit {
            return Err(Diagnostic::error(
                span,
                format!("more than {limit} transitions"),
            ));
        }
        match self.builder.store().insert_probabilities(parts) {
            Ok(dist) => {
                let tag = self.earned.choice(earned);
                self.builder.choice_tagged(state, label, dist, tag);
                Ok(())
            }
            Err(bad) => {
                let it = Diagnostic::error(span, bad.to_string());
                Err(it.help("probabilities are exact: write 1/3, not 0.3333"))
            }
        }
    }

    pub(super) fn label(&mut self, name: &str, state: State) {
        let at = self.propositions.iter().position(|(n, _)| n == name);
        let at = at.unwrap_or_else(|| {
            let none = FixedBitSet::with_capacity(self.states);
            self.propositions.push((name.to_owned(), none));
            self.propositions.len() - 1
        });
        let set = &mut self.propositions[at].1;
        set.grow(state as usize + 1);
        set.insert(state as usize);
    }

    /// A label that perhaps no state has.
    pub(super) fn declare(&mut self, name: &str) {
        if !self.propositions.iter().any(|(n, _)| n == name) {
            let none = FixedBitSet::with_capacity(self.states);
            self.propositions.push((name.to_owned(), none));
        }
    }

    pub(super) fn build(mut self) -> Explicit {
        for (number, (_, states)) in self.propositions.iter().enumerate() {
            self.builder.proposition(number as u32, states.clone());
        }
        let (mut lpts, tags) = self.builder.build_tagged();
        if !self.rewards.is_empty() {
            let mut said = self.of_states.into_iter().peekable();
            for state in 0..self.states as State {
                let earned = said.next_if(|(of, _)| *of == state);
                let nothing = || vec![Rat::ZERO; self.rewards.len()];
                self.earned
                    .state(earned.map_or_else(nothing, |(_, amounts)| amounts));
            }
            lpts = lpts.with_rewards(self.earned.finish(&tags));
        }
        Explicit {
            lpts,
            propositions: self
                .propositions
                .into_iter()
                .map(|(name, _)| name)
                .collect(),
            rewards: self.rewards,
            warnings: self.warnings,
        }
    }
}

/// The label of an action as it is written: `tau` is the unobservable one.
pub(super) fn action(labels: &mut Labels, name: &str, limits: &ParserLimits) -> Option<Label> {
    let label = labels.intern(name);
    (labels.len() <= limits.labels).then_some(label)
}

/// An exact probability: `1/3`, `0.25`, `1e-3`, `1`.
pub(super) fn probability(text: &str) -> Option<Rat> {
    if let Some((num, den)) = text.split_once('/') {
        let number = |t: &str| t.trim().parse::<Int>().ok().filter(|n| !n.is_negative());
        let (num, den) = (number(num)?, number(den)?);
        return (!den.is_zero()).then(|| Rat::new(num, den));
    }
    let digits = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '-' | '+');
    if !text.starts_with(|c: char| c.is_ascii_digit() || c == '.') || !text.chars().all(digits) {
        return None;
    }
    crate::prism::exact_decimal(text)
}

/// The lines of a file with their places, comments and empty ones left out.
pub(super) fn lines<'a>(
    file: FileId,
    sources: &'a Sources,
    comment: &'a str,
) -> impl Iterator<Item = (&'a str, Span)> {
    let text = sources.file(file).map_or("", SourceFile::text);
    let mut at = 0;
    text.split('\n').filter_map(move |line| {
        let start = at;
        at += line.len() + 1;
        let shown = match comment.is_empty() {
            true => line,
            false => line.split_once(comment).map_or(line, |(before, _)| before),
        };
        let trimmed = shown.trim();
        if trimmed.is_empty() {
            return None;
        }
        let lead = shown.len() - shown.trim_start().len();
        let span = Span::in_file(file, start + lead, start + lead + trimmed.len());
        Some((trimmed, span))
    })
}

/// The file's name without folders and ending.
pub(super) fn stem(file: FileId, sources: &Sources) -> &str {
    let name = sources.file(file).map_or("", SourceFile::name);
    let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
    match base.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => base,
    }
}
