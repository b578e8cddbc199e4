//! `.aut` to LTS.

use suppose_model::lts::{Label, Labels, Lts, LtsBuilder, State};
use suppose_source::{Diagnostic, FileId, ParserLimits, Span};

/// After this many errors the rest is not read.
const MOST_ERRORS: usize = 10;

/// Reads a component.
pub fn read(
    text: &str,
    file: FileId,
    name: &str,
    labels: &mut Labels,
    limits: &ParserLimits,
) -> Result<Lts, Vec<Diagnostic>> {
    limits
        .check_bytes(text.len(), "the file")
        .map_err(|error| vec![error])?;
    let mut reader = Reader {
        lines: Lines { text, at: 0 },
        file,
        limits,
        labels,
        builder: LtsBuilder::new(name),
        most_mentioned: 0,
        leads_to_error: Vec::new(),
        errors: Vec::new(),
    };
    reader.run();
    if reader.errors.is_empty() {
        Ok(reader.builder.build())
    } else {
        Err(reader.errors)
    }
}

/// Reads a property, which must be deterministic and without `tau`.
pub fn read_property(
    text: &str,
    file: FileId,
    name: &str,
    labels: &mut Labels,
    limits: &ParserLimits,
) -> Result<Lts, Vec<Diagnostic>> {
    let lts = read(text, file, name, labels, limits)?;
    match undetermined(&lts) {
        None => Ok(lts),
        Some((state, label)) => Err(vec![explain(text, file, labels, state, label)]),
    }
}

/// A state and the label it is not determined by.
fn undetermined(lts: &Lts) -> Option<(State, Label)> {
    (0..lts.states() as State).find_map(|state| {
        let edges = lts.edges(state);
        let silent = edges.first().filter(|e| e.label.is_tau());
        let twice = edges.windows(2).find(|w| w[0].label == w[1].label);
        silent.or(twice.map(|w| &w[0])).map(|e| (state, e.label))
    })
}

/// Points at the edges that make a property unfit.
fn explain(text: &str, file: FileId, labels: &Labels, state: State, label: Label) -> Diagnostic {
    let mut lines = Lines { text, at: 0 };
    let mut places = Vec::new();
    // The text was read before: all but the first line with something on it are edges.
    let _ = lines.next_filled();
    while let (Some(line), true) = (lines.next_filled(), places.len() < 2) {
        if let Ok(edge) = line.edge() {
            let same = match label {
                Label::TAU => is_silent(edge.label),
                _ => edge.label == labels.name(label),
            };
            if edge.source == state && same {
                places.push(line.span(file));
            }
        }
    }
    let place = places.first().copied().unwrap_or_default();
    if label.is_tau() {
        return Diagnostic::error(place, "a property must not have tau")
            .label("this transition is silent")
            .help("determinise the property first, or check the file as a component");
    }
    let message = format!(
        "a property must be deterministic, but state {state} has two transitions with {}",
        labels.display(label)
    );
    let found = Diagnostic::error(place, message).label("one of them");
    let found = match places.get(1) {
        Some(second) => found.note(*second, "the other"),
        None => found,
    };
    found.help("determinise the property first, or check the file as a component")
}

/// Where something is wrong in a line: first and last byte, what, and what was expected.
struct Wrong {
    from: usize,
    to: usize,
    message: String,
    expected: &'static str,
}

/// One line without its end, and where it begins.
#[derive(Clone, Copy)]
struct Line<'a> {
    start: usize,
    text: &'a str,
}

struct Lines<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lines<'a> {
    /// The next line with something on it.
    fn next_filled(&mut self) -> Option<Line<'a>> {
        while self.at < self.text.len() {
            let rest = &self.text[self.at..];
            let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
            let start = self.at;
            self.at += (end + 1).min(rest.len());
            let content = rest[..end].trim_end();
            let text = content.trim_start();
            if !text.is_empty() {
                let start = start + (content.len() - text.len());
                return Some(Line { start, text });
            }
        }
        None
    }
}

/// A transition as written. `target` is none for LTSA's `-1`.
struct RawEdge<'a> {
    source: State,
    label: &'a str,
    target: Option<State>,
    /// Where source and target are written.
    places: [(usize, usize); 2],
}

/// The header as written.
struct Header {
    initial: State,
    transitions: u64,
    states: u64,
    /// Where they are written.
    places: [(usize, usize); 3],
}

impl<'a> Line<'a> {
    fn span(&self, file: FileId) -> Span {
        Span::in_file(file, self.start, self.start + self.text.len())
    }

    fn wrong(&self, message: impl Into<String>, expected: &'static str) -> Wrong {
        Wrong {
            from: self.start,
            to: self.start + self.text.len(),
            message: message.into(),
            expected,
        }
    }

    /// The text between the parentheses after `before`.
    fn inside(&self, before: &str, expected: &'static str) -> Result<Line<'a>, Wrong> {
        let inner = self.text.strip_prefix(before).map(str::trim_start);
        let inner = inner.and_then(|t| t.strip_prefix('('));
        let inner = inner.and_then(|t| t.strip_suffix(')'));
        match inner {
            Some(text) => Ok(Line {
                start: self.start + (self.text.len() - 1 - text.len()),
                text,
            }),
            None => Err(self.wrong("the line is not understood", expected)),
        }
    }

    fn header(&self) -> Result<Header, Wrong> {
        const FORM: &str = "expected `des (initial, transitions, states)`";
        let inner = self.inside("des", FORM)?;
        let (initial, rest) = inner.split_at_comma(inner.text.find(','), FORM)?;
        let (transitions, states) = rest.split_at_comma(rest.text.find(','), FORM)?;
        Ok(Header {
            initial: initial.state()?,
            transitions: transitions.number()?,
            states: states.number()?,
            places: [initial.place(), transitions.place(), states.place()],
        })
    }

    fn edge(&self) -> Result<RawEdge<'a>, Wrong> {
        const FORM: &str = "expected `(source, label, target)`";
        let inner = self.inside("", FORM)?;
        let (source, rest) = inner.split_at_comma(inner.text.find(','), FORM)?;
        let (label, target) = rest.split_at_comma(rest.text.rfind(','), FORM)?;
        let places = [source.place(), target.place()];
        Ok(RawEdge {
            source: source.state()?,
            label: label.label()?,
            target: match target.text {
                "-1" => None,
                _ => Some(target.state()?),
            },
            places,
        })
    }

    fn split_at_comma(
        &self,
        comma: Option<usize>,
        expected: &'static str,
    ) -> Result<(Line<'a>, Line<'a>), Wrong> {
        let Some(comma) = comma else {
            return Err(self.wrong("a comma is missing", expected));
        };
        let before = self.part(0, comma);
        let after = self.part(comma + 1, self.text.len());
        Ok((before, after))
    }

    /// A part of the line, without the white space around it.
    fn part(&self, from: usize, to: usize) -> Line<'a> {
        let text = &self.text[from..to];
        let trimmed = text.trim_start();
        Line {
            start: self.start + from + (text.len() - trimmed.len()),
            text: trimmed.trim_end(),
        }
    }

    fn place(&self) -> (usize, usize) {
        (self.start, self.start + self.text.len())
    }

    fn number(&self) -> Result<u64, Wrong> {
        if self.text.is_empty() || !self.text.bytes().all(|b| b.is_ascii_digit()) {
            return Err(self.wrong("this is not a number", "expected a number"));
        }
        let parsed = self.text.parse();
        parsed.map_err(|_| self.wrong("the number is too large", "expected a smaller number"))
    }

    fn state(&self) -> Result<State, Wrong> {
        let number = self.number()?;
        let fits = State::try_from(number).ok().filter(|s| *s < State::MAX - 1);
        fits.ok_or_else(|| self.wrong("the number is too large", "expected the number of a state"))
    }

    fn label(&self) -> Result<&'a str, Wrong> {
        const FORM: &str = "expected a label, such as `send` or `\"send !1\"`";
        let quoted = self.text.starts_with('"');
        let label = match self.text.strip_prefix('"') {
            Some(rest) => rest
                .strip_suffix('"')
                .ok_or_else(|| self.wrong("the label's closing quote is missing", FORM))?,
            None => self.text,
        };
        if label.is_empty() {
            let message = if quoted {
                "the label is empty"
            } else {
                "the label is missing"
            };
            return Err(self.wrong(message, FORM));
        }
        Ok(label)
    }
}

fn is_silent(label: &str) -> bool {
    matches!(label, "i" | "tau")
}

struct Reader<'a> {
    lines: Lines<'a>,
    file: FileId,
    limits: &'a ParserLimits,
    labels: &'a mut Labels,
    builder: LtsBuilder,
    most_mentioned: State,
    leads_to_error: Vec<(State, Label)>,
    errors: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn run(&mut self) {
        let Some(first) = self.lines.next_filled() else {
            let form = "the first line must be `des (initial, transitions, states)`";
            let place = Span::in_file(self.file, 0, self.lines.text.len());
            self.errors
                .push(Diagnostic::error(place, "the file is empty").help(form));
            return;
        };
        let header = match first.header().and_then(|h| self.accept(first, h)) {
            Ok(header) => header,
            Err(wrong) => return self.report(wrong),
        };
        let read = self.edges(&header);
        if self.errors.is_empty() && read != header.transitions {
            let [_, (from, to), _] = header.places;
            let announced = header.transitions;
            self.report(Wrong {
                from,
                to,
                message: format!(
                    "the header announces {announced} transitions, but there are {read}"
                ),
                expected: "expected the number of lines that follow",
            });
        }
        self.finish(&header, read);
    }

    /// Refuses sizes above the limits and an initial state that is not there.
    fn accept(&self, line: Line<'_>, header: Header) -> Result<Header, Wrong> {
        let at = |place: (usize, usize), message: String, expected| Wrong {
            from: place.0,
            to: place.1,
            message,
            expected,
        };
        let [initial, transitions, states] = header.places;
        let most = self.limits.states.min(State::MAX as usize - 2) as u64;
        if header.states > most {
            let message = format!("more than {most} states");
            return Err(at(states, message, "expected a smaller system"));
        }
        let most = self.limits.transitions.min(u32::MAX as usize) as u64;
        if header.transitions > most {
            let message = format!("more than {most} transitions");
            return Err(at(transitions, message, "expected a smaller system"));
        }
        if header.states == 0 {
            return Err(line.wrong("there are no states", "expected at least one state"));
        }
        if u64::from(header.initial) >= header.states {
            let (number, count) = (header.initial, header.states);
            let message = format!("the initial state is {number}, but there are {count} states");
            return Err(at(
                initial,
                message,
                "expected a number below that of the states",
            ));
        }
        Ok(header)
    }

    /// Reads all edges and says how many there are.
    fn edges(&mut self, header: &Header) -> u64 {
        let mut read = 0;
        while let Some(line) = self.lines.next_filled() {
            read += 1;
            if read as usize > self.limits.transitions {
                let limit = self.limits.transitions;
                self.report(line.wrong(format!("more than {limit} transitions"), ""));
                return read;
            }
            if let Err(wrong) = line.edge().and_then(|edge| self.edge(header, line, &edge)) {
                self.report(wrong);
                if self.errors.len() >= MOST_ERRORS {
                    return read;
                }
            }
        }
        read
    }

    fn edge(&mut self, header: &Header, line: Line<'_>, edge: &RawEdge<'_>) -> Result<(), Wrong> {
        for (state, (from, to)) in [Some(edge.source), edge.target].iter().zip(edge.places) {
            let Some(state) = state else { continue };
            if u64::from(*state) >= header.states {
                let count = header.states;
                return Err(Wrong {
                    from,
                    to,
                    message: format!("there is no state {state}"),
                    expected: if count == 1 {
                        "the header announces one state, number 0"
                    } else {
                        "expected a number below the number of states in the header"
                    },
                });
            }
            self.most_mentioned = self.most_mentioned.max(*state);
        }
        let label = self.label(line, edge.label)?;
        match edge.target {
            Some(target) => {
                self.builder.edge(edge.source, label, target);
            }
            None => self.leads_to_error.push((edge.source, label)),
        }
        Ok(())
    }

    fn label(&mut self, line: Line<'_>, name: &str) -> Result<Label, Wrong> {
        if is_silent(name) {
            return Ok(Label::TAU);
        }
        if self.labels.len() > self.limits.labels && self.labels.get(name).is_none() {
            let message = format!("more than {} labels", self.limits.labels);
            return Err(line.wrong(message, "expected fewer labels"));
        }
        Ok(self.labels.intern(name))
    }

    /// States that no line mentions cannot be reached, so a header that announces more of them
    /// than the lines could mention does not make them come to be.
    fn finish(&mut self, header: &Header, read: u64) {
        let most = (2 * read + 1).max(u64::from(self.most_mentioned) + 1);
        let states = header.states.min(most).max(u64::from(header.initial) + 1) as State;
        self.builder.states(states).initial(header.initial);
        if !self.leads_to_error.is_empty() {
            self.builder.error(states);
            for (source, label) in self.leads_to_error.drain(..) {
                self.builder.edge(source, label, states);
            }
        }
    }

    fn report(&mut self, wrong: Wrong) {
        let span = Span::in_file(self.file, wrong.from, wrong.to);
        let mut error = Diagnostic::error(span, wrong.message);
        if !wrong.expected.is_empty() {
            error = error.label(wrong.expected);
        }
        self.errors.push(error);
    }
}
