//! JSON to network.

use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::value::RawValue;
use suppose_model::lts::{Label, Labels, Lts, LtsBuilder, Network, Priority, State};
use suppose_source::{Diagnostic, FileId, ParserLimits, Span};

use super::form::{File, Head, HiddenForm, PriorityForm, System, Text};
use super::{FORMAT, VERSION};

/// Reads a network and closes it.
pub fn read(text: &str, file: FileId, limits: &ParserLimits) -> Result<Network, Vec<Diagnostic>> {
    limits
        .check_bytes(text.len(), "the file")
        .map_err(|error| vec![error])?;
    let mut reader = Reader {
        text,
        file,
        limits,
        labels: Labels::new(),
        hidden: FxHashMap::default(),
        states: 0,
        transitions: 0,
    };
    reader.network().map_err(|error| vec![error])
}

struct Reader<'a> {
    text: &'a str,
    file: FileId,
    limits: &'a ParserLimits,
    labels: Labels,
    /// Hidden labels by their name in the file, which may differ from the one they get here.
    hidden: FxHashMap<String, Label>,
    states: usize,
    transitions: usize,
}

impl<'a> Reader<'a> {
    fn network(&mut self) -> Result<Network, Diagnostic> {
        self.head()?;
        let form: File<'a> = self.parse(self.text)?;
        // Checked above; here they only have to be there.
        let _ = (form.format, form.version);
        for label in &form.labels {
            self.declare(label)?;
        }
        let mut components = Vec::new();
        for component in &form.components {
            let (lts, form) = self.system(component)?;
            if form.asserted {
                return Err(self.wrong(Some(component), "only a property can be asserted"));
            }
            components.push(lts);
        }
        let mut properties = Vec::new();
        for property in &form.properties {
            let (lts, form) = self.system(property)?;
            self.check_deterministic(&lts, &form)?;
            let span = self.span(property.get());
            properties.push((lts, span, form.asserted));
        }
        let priority = match form.priority {
            Some(priority) => Some(self.priority(priority)?),
            None => None,
        };
        let labels = std::mem::take(&mut self.labels);
        let mut network = Network::new(form.name, labels);
        network.priority = priority;
        for component in components {
            network.add_component(component);
        }
        for (property, span, asserted) in &properties {
            network.add_property(property, Some(*span));
            if let Some(property) = network.properties.last_mut() {
                property.asserted = *asserted;
            }
        }
        network.close();
        if let Some(raw) = form.success {
            network.success = self.success(raw, &network)?;
        }
        Ok(network)
    }

    /// The components that must be at their ends for a stop to be success, or `false` for never.
    fn success(
        &self,
        raw: &'a RawValue,
        network: &Network,
    ) -> Result<Option<Vec<Option<State>>>, Diagnostic> {
        if raw.get() == "false" {
            return Ok(None);
        }
        let numbers: Vec<usize> = self.parse(raw.get())?;
        let mut ends = vec![None; network.components.len()];
        for number in numbers {
            let component = network.components.get(number);
            let Some(end) = component.and_then(|c| c.lts.end()) else {
                let message = format!("there is no component {number} with an end");
                return Err(self.wrong(Some(raw), message));
            };
            ends[number] = Some(end);
        }
        Ok(Some(ends))
    }

    /// Says clearly when this is another format, or another version of this one.
    fn head(&self) -> Result<(), Diagnostic> {
        let head: Head<'a> = self.parse(self.text)?;
        let is = |raw: Option<&RawValue>, wanted: &str| raw.is_some_and(|r| r.get() == wanted);
        if !is(head.format, &format!("\"{FORMAT}\"")) {
            let message = format!("this is not a network: `format` is not `{FORMAT}`");
            return Err(self.wrong(head.format, message));
        }
        if !is(head.version, &VERSION.to_string()) {
            let message = "this version of the format is not known";
            return Err(self
                .wrong(head.version, message)
                .help(format!("version {VERSION} is read here")));
        }
        Ok(())
    }

    fn declare(&mut self, raw: &'a RawValue) -> Result<(), Diagnostic> {
        if !raw.get().starts_with('{') {
            return self.label(raw).map(|_| ());
        }
        let form: HiddenForm<'a> = self.parse(raw.get())?;
        if self.hidden.contains_key(form.name.as_ref()) || self.labels.get(&form.name).is_some() {
            let message = format!("the label `{}` is there already", form.name);
            return Err(self.wrong(Some(raw), message));
        }
        self.check_labels(raw)?;
        let label = self.labels.intern_hidden(&form.hidden);
        self.hidden.insert(form.name.into_owned(), label);
        Ok(())
    }

    fn label(&mut self, raw: &'a RawValue) -> Result<Label, Diagnostic> {
        let name: Text<'a> = self.parse(raw.get())?;
        self.intern(raw, &name.text)
    }

    fn intern(&mut self, raw: &RawValue, name: &str) -> Result<Label, Diagnostic> {
        if let Some(label) = self.hidden.get(name) {
            return Ok(*label);
        }
        if let Some(label) = self.labels.get(name) {
            // The name that a hidden label got here is not one that the file knows.
            if !self.labels.is_hidden(label) {
                return Ok(label);
            }
            let message = format!("the name `{name}` clashes with that of a hidden label");
            return Err(self.wrong(Some(raw), message));
        }
        if name.is_empty() {
            return Err(self.wrong(Some(raw), "a label must not be empty"));
        }
        self.check_labels(raw)?;
        Ok(self.labels.intern(name))
    }

    fn check_labels(&self, raw: &RawValue) -> Result<(), Diagnostic> {
        if self.labels.len() > self.limits.labels {
            let message = format!("more than {} labels", self.limits.labels);
            return Err(self.wrong(Some(raw), message));
        }
        Ok(())
    }

    fn system(&mut self, raw: &'a RawValue) -> Result<(Lts, System<'a>), Diagnostic> {
        let form: System<'a> = self.parse(raw.get())?;
        let count = self.count_states(form.states)?;
        let mut builder = LtsBuilder::new(form.name.as_ref());
        builder.states(count);
        if let Some(initial) = form.initial {
            builder.initial(self.state(initial, count)?);
        }
        if let Some(end) = form.end {
            builder.end(self.state(end, count)?);
        }
        if let Some(error) = form.error {
            builder.error(self.state(error, count)?);
        }
        for label in &form.alphabet {
            builder.extend_alphabet([self.label(label)?]);
        }
        self.transitions += form.edges.len();
        if self.transitions > self.limits.transitions.min(u32::MAX as usize) {
            let message = format!("more than {} transitions", self.limits.transitions);
            return Err(self.wrong(Some(raw), message));
        }
        for edge in &form.edges {
            let (source, label, target) = self.edge(edge, count)?;
            builder.edge(source, label, target);
        }
        for pair in &form.state_names {
            let (state, name): (&RawValue, String) = self.parse(pair.get())?;
            builder.state_name(self.state(state, count)?, name);
        }
        Ok((builder.build(), form))
    }

    fn count_states(&mut self, raw: &RawValue) -> Result<u32, Diagnostic> {
        let count: u32 = self.parse(raw.get())?;
        if count == 0 {
            return Err(self.wrong(Some(raw), "there must be at least one state"));
        }
        self.states = self.states.saturating_add(count as usize);
        let limit = self.limits.states.min(u32::MAX as usize - 2);
        if self.states > limit {
            let message = format!("more than {limit} states in all");
            return Err(self.wrong(Some(raw), message));
        }
        Ok(count)
    }

    fn state(&self, raw: &RawValue, count: u32) -> Result<State, Diagnostic> {
        let state: State = self.parse(raw.get())?;
        self.check_state(raw, state, count)
    }

    fn check_state(&self, raw: &RawValue, state: u32, count: u32) -> Result<State, Diagnostic> {
        if state >= count {
            let message = format!("there is no state {state}");
            let last = count - 1;
            let error = self.wrong(Some(raw), message);
            return Err(error.label(format!("the last state is {last}")));
        }
        Ok(state)
    }

    fn edge(&mut self, raw: &'a RawValue, count: u32) -> Result<(State, Label, State), Diagnostic> {
        let (source, name, target): (State, Text<'a>, State) = self.parse(raw.get())?;
        let source = self.check_state(raw, source, count)?;
        let target = self.check_state(raw, target, count)?;
        Ok((source, self.intern(raw, &name.text)?, target))
    }

    fn priority(&mut self, raw: &'a RawValue) -> Result<Priority, Diagnostic> {
        let form: PriorityForm<'a> = self.parse(raw.get())?;
        let mut labels = Vec::new();
        for raw in &form.labels {
            let label = self.label(raw)?;
            if label.is_tau() {
                return Err(self.wrong(Some(raw), "tau has no priority of its own"));
            }
            labels.push(label);
        }
        labels.sort_unstable();
        labels.dedup();
        let low = form.low;
        Ok(Priority { labels, low })
    }

    fn check_deterministic(&self, lts: &Lts, form: &System<'a>) -> Result<(), Diagnostic> {
        if lts.is_deterministic() {
            return Ok(());
        }
        let mut first: FxHashMap<(State, String), &RawValue> = FxHashMap::default();
        for raw in &form.edges {
            let (source, name, target): (State, Text<'a>, State) = self.parse(raw.get())?;
            if name.text == "tau" {
                return Err(self.wrong(Some(raw), "a property must not have tau"));
            }
            if let Some(other) = first.insert((source, name.text.into_owned()), raw) {
                let (_, _, before): (State, Text<'a>, State) = self.parse(other.get())?;
                if before != target {
                    return Err(self
                        .wrong(Some(raw), "a property must be deterministic")
                        .label("leads elsewhere with the same label")
                        .note(self.span(other.get()), "than this")
                        .help("determinise it first"));
                }
            }
        }
        Err(self.wrong(Some(form.states), "a property must be deterministic"))
    }

    /// Parses a part of the text; a mistake is at its place in the whole.
    fn parse<T: Deserialize<'a>>(&self, part: &'a str) -> Result<T, Diagnostic> {
        serde_json::from_str(part).map_err(|error| {
            let line = error.line().saturating_sub(1);
            let start: usize = part.split_inclusive('\n').take(line).map(str::len).sum();
            let at = (start + error.column().saturating_sub(1)).min(part.len());
            let base = self.offset(part);
            let span = Span::in_file(self.file, base + at, base + (at + 1).min(part.len()));
            Diagnostic::error(span, message(&error))
        })
    }

    fn wrong(&self, raw: Option<&RawValue>, message: impl Into<String>) -> Diagnostic {
        match raw {
            Some(raw) => Diagnostic::error(self.span(raw.get()), message),
            None => Diagnostic::error(Span::in_file(self.file, 0, 1), message),
        }
    }

    fn span(&self, part: &str) -> Span {
        let start = self.offset(part);
        Span::in_file(self.file, start, start + part.len())
    }

    /// Where a part begins: parts that serde leaves raw are borrowed from the text.
    fn offset(&self, part: &str) -> usize {
        let (whole, part) = (self.text.as_ptr() as usize, part.as_ptr() as usize);
        part.saturating_sub(whole).min(self.text.len())
    }
}

/// Serde's message without the position, which the diagnostic shows in its own way.
fn message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}
