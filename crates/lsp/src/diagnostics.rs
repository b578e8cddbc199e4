//! What front-ends and checks say, for the editor.

use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString,
    Position, Range as Area, Uri,
};
use suppose::{ExitStatus, Failure, Outline};
use suppose_frontends::index::SymbolKind;
use suppose_source::{Diagnostic as Said, Severity, Sources, Span};

use crate::document::{Document, Lines};
use crate::jobs::Verdict;
use crate::paths::uri_of;

/// More are not shown of one text.
const MOST: usize = 200;
/// More steps of a run are not listed beside a diagnostic.
const STEPS: usize = 40;

/// The errors of a text that cannot be read.
pub(crate) fn of_failure(document: &Document, failure: &Failure) -> Vec<Diagnostic> {
    let shown = failure.diagnostics.iter().take(MOST);
    let told = shown.map(|said| {
        let mut it = one(document, said, &failure.sources);
        // A limit says nothing about the text, and a model without claims is no error in it.
        if matches!(failure.status, ExitStatus::Limit | ExitStatus::Usage) {
            it.severity = Some(DiagnosticSeverity::INFORMATION);
        }
        if failure.status == ExitStatus::Limit {
            it.message = format!("the text was not read to the end: {}", it.message);
        }
        it
    });
    told.collect()
}

/// The warnings of a text.
pub(crate) fn of_outline(document: &Document, outline: &Outline) -> Vec<Diagnostic> {
    let remarks = outline.remarks.iter().take(MOST);
    let mut all: Vec<Diagnostic> = remarks
        .map(|said| one(document, said, &outline.sources))
        .collect();
    for (name, reason) in &outline.undecided {
        let mut it = Diagnostic::new_simple(
            place_of_claim(document, name),
            format!("`{name}` is not decided: {reason}"),
        );
        it.severity = Some(DiagnosticSeverity::INFORMATION);
        it.source = Some("suppose".to_owned());
        it.code = Some(NumberOrString::String("undecided".to_owned()));
        all.push(it);
    }
    all
}

fn one(document: &Document, said: &Said, sources: &Sources) -> Diagnostic {
    let mut message = said.message.clone();
    if !said.label.is_empty() {
        message = format!("{message}: {}", said.label);
    }
    let mut related = Vec::new();
    let area = match said.span {
        None => start(),
        Some(span) if is_own(document, span, sources) => own(document, span),
        Some(span) => {
            related.extend(elsewhere(document, span, sources, &message));
            place_of_include(document, span, sources)
        }
    };
    for note in &said.notes {
        let location = location(document, note.span, sources);
        related.extend(location.map(|location| DiagnosticRelatedInformation {
            location,
            message: note.text.clone(),
        }));
    }
    related.extend(said.help.iter().map(|help| DiagnosticRelatedInformation {
        location: Location::new(document.uri.clone(), area),
        message: format!("help: {help}"),
    }));
    Diagnostic {
        range: area,
        severity: Some(match said.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        }),
        code: Some(NumberOrString::String(said.code())),
        source: Some("suppose".to_owned()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        ..Diagnostic::default()
    }
}

fn start() -> Area {
    Area::new(Position::new(0, 0), Position::new(0, 0))
}

/// Is a span in the document itself, and in no file that it includes?
fn is_own(document: &Document, span: Span, sources: &Sources) -> bool {
    let file = sources.file(span.file);
    // A failure without sources is about the one text there is.
    file.is_none_or(|f| span.file.0 == 0 || document.name() == f.name())
}

fn own(document: &Document, span: Span) -> Area {
    let text = &document.text;
    let from = (span.start as usize).min(text.len());
    let to = (span.end as usize).clamp(from, text.len());
    let mut area = document.area(&(from..to));
    // An empty mark cannot be seen.
    if area.start == area.end {
        area.end.character += 1;
    }
    area
}

fn location(document: &Document, span: Span, sources: &Sources) -> Option<Location> {
    if is_own(document, span, sources) {
        return Some(Location::new(document.uri.clone(), own(document, span)));
    }
    let file = sources.file(span.file)?;
    let uri = beside(document, file.name())?;
    let lines = Lines::of(file.text());
    let area = lines.area(file.text(), &(span.start as usize..span.end as usize));
    Some(Location::new(uri, area))
}

/// A file by its name in messages: as the document includes it, or by its whole path.
fn beside(document: &Document, name: &str) -> Option<Uri> {
    uri_of(&document.folder()?.join(name))
}

fn elsewhere(
    document: &Document,
    span: Span,
    sources: &Sources,
    message: &str,
) -> Option<DiagnosticRelatedInformation> {
    Some(DiagnosticRelatedInformation {
        location: location(document, span, sources)?,
        message: message.to_owned(),
    })
}

/// The line that includes a file, for what is wrong in that file.
fn place_of_include(document: &Document, span: Span, sources: &Sources) -> Area {
    let name = sources.file(span.file).map_or("", |f| f.name());
    let ends = |file: &str| name == file || name.ends_with(&format!("/{file}"));
    let includes = document.index().includes();
    let found = includes.iter().find(|i| ends(&i.file)).or(includes.first());
    found.map_or(start(), |i| document.area(&i.span))
}

/// The name of a claim in the text.
pub(crate) fn place_of_claim(document: &Document, claim: &str) -> Area {
    let index = document.index();
    let symbols = index.symbols().iter();
    let mut named = symbols.filter(|s| s.name == claim && s.kind == SymbolKind::Property);
    if let Some(symbol) = named.next() {
        return document.area(&symbol.span);
    }
    let numbered = claim.parse::<usize>().ok();
    let mut properties = index
        .symbols()
        .iter()
        .filter(|s| s.kind == SymbolKind::Property);
    if let Some(symbol) = numbered.and_then(|n| properties.nth(n)) {
        return document.area(&symbol.span);
    }
    match (claim, index.assertions().first()) {
        ("assertions", Some(span)) => document.area(span),
        _ => start(),
    }
}

/// A verdict that a check found, if it is one to look at.
pub(crate) fn of_verdict(
    document: &Document,
    claim: &str,
    verdict: &Verdict,
) -> Option<Diagnostic> {
    let severity = match verdict.word.as_str() {
        "violated" => DiagnosticSeverity::ERROR,
        "unknown" => DiagnosticSeverity::INFORMATION,
        _ => return None,
    };
    let steps = verdict.steps.iter().take(STEPS);
    let area = match (claim, verdict.steps.last()) {
        ("assertions", Some(last)) => last.line.map_or_else(
            || place_of_claim(document, claim),
            |line| whole_line(document, line),
        ),
        _ => place_of_claim(document, claim),
    };
    let related: Vec<_> = steps
        .map(|step| DiagnosticRelatedInformation {
            location: Location::new(
                document.uri.clone(),
                step.line.map_or(area, |line| whole_line(document, line)),
            ),
            message: step.text.clone(),
        })
        .collect();
    Some(Diagnostic {
        range: area,
        severity: Some(severity),
        code: Some(NumberOrString::String(verdict.word.clone())),
        source: Some("suppose check".to_owned()),
        message: verdict.message(claim),
        related_information: (!related.is_empty()).then_some(related),
        ..Diagnostic::default()
    })
}

/// A line, from 1, without the space before it.
fn whole_line(document: &Document, line: u32) -> Area {
    let number = line.saturating_sub(1);
    let start = document.offset(Position::new(number, 0));
    let end = document.offset(Position::new(number, u32::MAX));
    let text = &document.text[start..end];
    let space = text.len() - text.trim_start().len();
    document.area(&(start + space..end))
}
