//! The report as one HTML file that needs nothing else.
//!
//! The page allows itself one style sheet and one script, by hash, and nothing from anywhere; all
//! text goes through the template's escaping after [`shown`] made it visible.

mod chart;
mod evidence;
mod history;
mod states;
mod stepper;
mod table;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html as markup};
use sha2::{Digest, Sha256};
use suppose_model::EvidenceStatus;
use suppose_source::Sources;

use crate::block::Block;
use crate::document::{Claim, Document, Evidence, Fact, Frame, Meaning, ShownVerdict, System};
use crate::draw;
use crate::words::{self, grouped, shown};

const SCRIPT: &str = concat!(include_str!("page.js"), include_str!("stepper.js"));
const STYLE: &str = concat!(include_str!("page.css"), include_str!("stepper.css"));

impl Document<'_> {
    /// As one self-contained HTML file.
    pub fn html(&self) -> String {
        let overall = self.overall();
        let title = format!("{overall} – {}", shown(&self.title));
        let body = markup! {
            (header(self, &overall))
            main {
                (warnings(&self.frame))
                (summary(self))
                (system(&self.system))
                @for (number, claim) in (1..).zip(&self.claims) { (section(claim, number, self.system.sources)) }
            }
            (stepper::texts(self.system.sources))
            (footer(&self.frame))
        };
        whole_page(&self.frame.version, &title, Some(SCRIPT), body)
    }
}

/// A page without a verdict.
pub(crate) fn bare_page(version: &str, title: &str, sections: Markup) -> String {
    let body = markup! {
        header { p class="kicker" { "Suppose" } h1 { (name(title)) } }
        main { (sections) }
    };
    whole_page(version, title, None, body)
}

/// A page that allows itself its own style sheet and script.
fn whole_page(version: &str, title: &str, script: Option<&str>, body: Markup) -> String {
    let style = format!("{}\n{STYLE}", draw::style());
    let scripts = script.map(|s| format!("; script-src '{}'", hash(s)));
    let policy = format!(
        "default-src 'none'; style-src '{}'{}; base-uri 'none'; form-action 'none'",
        hash(&style),
        scripts.unwrap_or_default()
    );
    let page = markup! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="generator" content=(format!("suppose {}", shown(version)));
                title { (title) }
                style { (PreEscaped(&style)) }
            }
            body {
                (body)
                @if let Some(script) = script { script { (PreEscaped(script)) } }
            }
        }
    };
    page.into_string()
}

fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

/// The verdict with its colour.
fn badge(verdict: &ShownVerdict) -> Markup {
    markup! { span class=(format!("badge {}", verdict.word())) { (verdict.word()) } }
}

/// A name that cannot disturb the direction of the text around it.
pub(crate) fn name(text: &str) -> Markup {
    markup! { bdi { (shown(text)) } }
}

fn header(document: &Document, overall: &ShownVerdict) -> Markup {
    let sentence = match overall {
        ShownVerdict::Holds => "Everything that was asked holds.".to_owned(),
        ShownVerdict::Violated(name) => format!("Violated: {}.", shown(&words::heading(name))),
        ShownVerdict::Unknown(why) => format!("Not decided: {}.", shown(why)),
    };
    markup! {
        header class=(overall.word()) {
            p class="kicker" { "Suppose · report" }
            h1 { (name(&document.title)) }
            p class="verdict" { (badge(overall)) " " span class="sentence" { (sentence) } }
            p class="files" {
                @for (at, file) in document.frame.files.iter().enumerate() {
                    @if at > 0 { ", " }
                    code { (name(file)) }
                }
            }
        }
    }
}

fn warnings(frame: &Frame) -> Markup {
    markup! {
        @if !frame.warnings.is_empty() {
            section class="card warnings" aria-label="Warnings" {
                ul { @for warning in &frame.warnings { li { (name(warning)) } } }
            }
        }
    }
}

fn summary(document: &Document) -> Markup {
    markup! {
        section class="card" {
            h2 { "Verdicts" }
            div class="scroll" { table class="summary" {
                thead { tr {
                    th scope="col" { "Claim" } th scope="col" { "Verdict" } th scope="col" { "Engine" }
                    @for column in document.system.columns { th scope="col" class="number" { (column) } }
                    th scope="col" class="number" { "Time" } th scope="col" { "Evidence" }
                } }
                tbody {
                    @for (number, claim) in (1..).zip(&document.claims) {
                        tr {
                            th scope="row" { a href={ "#claim-" (number) } { (name(&claim.heading)) } }
                            td { (badge(&claim.verdict)) }
                            td { (name(&claim.engine.0)) }
                            @for number in claim.numbers { td class="number" { (grouped(number)) } }
                            td class="number" { (words::duration(claim.run.elapsed)) }
                            td { (evidence_word(&claim.evidence)) }
                        }
                    }
                    @for (claim, reason) in &document.frame.undecided {
                        tr {
                            th scope="row" { (name(claim)) }
                            td { (badge(&ShownVerdict::Unknown(String::new()))) }
                            td colspan="5" { (name(reason)) }
                        }
                    }
                }
            } }
        }
    }
}

/// What became of the evidence, in a word or two.
fn evidence_word(evidence: &Evidence) -> &'static str {
    match (&evidence.status, &evidence.search) {
        _ if evidence.name.is_none() => "none",
        (EvidenceStatus::Accepted, _) => "accepted",
        (EvidenceStatus::NotChecked(_), Some(search)) => search.word,
        (EvidenceStatus::NotChecked(_), None) => "not checked",
        (EvidenceStatus::Rejected(_), _) => "rejected",
    }
}

fn system(system: &System) -> Markup {
    let components = system.network.filter(|n| !n.components.is_empty());
    markup! {
        @if !system.summary.is_empty() {
            section class="card" {
                h2 { "System" }
                p { (system.summary) "." }
                @if let Some(network) = components {
                    details open[network.components.len() <= 10] {
                        summary { "Components and the labels they share" }
                        (drawing(draw::network_in_page(network), "The system", "Point at a part to see its size."))
                    }
                }
                @for block in &system.blocks { (self::block(block, None)) }
            }
        }
    }
}

/// The section of one claim.
fn section(claim: &Claim, number: usize, sources: Option<&Sources>) -> Markup {
    markup! {
        section class="card claim" id={ "claim-" (number) } {
            h2 { (name(&claim.heading)) " " (badge(&claim.verdict)) }
            @match &claim.meaning {
                Some(Meaning::Words(text)) => { p { (name(text)) } }
                Some(Meaning::Formula(_, text)) => { p { code { (name(text)) } } }
                None => {}
            }
            dl class="facts" {
                @for Fact { name: term, value } in &claim.facts { (fact(term, name(value))) }
                @if let Some(place) = &claim.place { (fact("written at", name(place))) }
                (evidence_fact(&claim.evidence))
                @for Fact { name: term, value } in &claim.notes { (fact(term, name(value))) }
            }
            @for block in (claim.blocks)() { (self::block(&block, sources)) }
            (history::section(claim.run))
        }
    }
}

fn fact(term: &str, value: Markup) -> Markup {
    let mut letters = term.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase());
    let term: String = first.into_iter().chain(letters).collect();
    markup! { div { dt { (term) } dd { (value) } } }
}

/// What was said of evidence.
fn evidence_fact(evidence: &Evidence) -> Markup {
    let Some(term) = evidence.name else {
        return markup! {};
    };
    let class = |word: &str| format!("evidence {word}");
    let value = markup! {
        @match (&evidence.status, &evidence.search) {
            (EvidenceStatus::Accepted, Some(search)) => { span class=(class("accepted")) { (search.accepted) } }
            (EvidenceStatus::NotChecked(why), Some(search)) => { (search.open) "; " (name(why)) }
            (EvidenceStatus::Accepted, None) => { span class=(class("accepted")) { "accepted" } }
            (EvidenceStatus::NotChecked(why), None) => {
                span class=(class("not-checked")) { "not checked" } ": " (name(why))
            }
            (EvidenceStatus::Rejected(why), _) => {
                span class=(class("rejected")) { "rejected" } ": " (name(why)) ". This is a bug: please report it."
            }
        }
        @if let Some(file) = &evidence.file { ", written to " code { (name(file)) } }
    };
    fact(term, value)
}

fn block(block: &Block, sources: Option<&Sources>) -> Markup {
    match block {
        Block::Assumptions { all, is_final } => markup! {
            @for it in all { (evidence::assumption(it, *is_final)) }
        },
        Block::Premises(all) => evidence::premises(all),
        Block::Interference(all) => evidence::interference(all),
        Block::Steps(steps) => table::steps(steps, sources),
        Block::Chart(chart) => chart::section(chart),
        Block::States(run) => states::states(run),
        Block::Tree(tree) => evidence::tree(tree),
        Block::Definitions(definitions) => evidence::definitions(definitions),
        Block::Classes { system, clusters } => states::abstraction(system, clusters),
        Block::Picture {
            title,
            lpts,
            labels,
        } => evidence::picture(title, lpts, labels),
        Block::Sizes(all) => evidence::sizes(all),
    }
}

/// A picture with the means to move about in it.
fn drawing(picture: Markup, label: &str, hint: &str) -> Markup {
    markup! {
        figure class="drawing" {
            div class="canvas" tabindex="0" aria-label=(format!("{label}. Arrow keys move, plus and minus zoom, 0 shows all.")) {
                (picture)
            }
            figcaption {
                output class="info" { (hint) }
                span class="help" { "Drag to move, Ctrl + wheel to zoom." }
                div class="tools" role="group" aria-label="View" {
                    button type="button" data-view="in" title="Zoom in (+)" aria-label="Zoom in" { "+" }
                    button type="button" data-view="out" title="Zoom out (−)" aria-label="Zoom out" { "−" }
                    button type="button" data-view="fit" title="Show all (0)" aria-label="Show all" { "⤢" }
                }
            }
        }
    }
}

fn footer(frame: &Frame) -> Markup {
    let limit = |text: Option<String>| text.unwrap_or_else(|| "none".to_owned());
    markup! {
        footer {
            dl {
                div { dt { "Time" } dd { (words::duration(frame.elapsed)) } }
                div { dt { "Memory" } dd { (limit(frame.peak_memory.map(words::bytes))) } }
                div { dt { "Time limit" } dd { (limit(frame.limits.0.map(words::duration))) } }
                div { dt { "Memory limit" } dd { (limit(frame.limits.1.map(words::bytes))) } }
                div { dt { "Seed" } dd { (frame.seed) } }
                div { dt { "Version" } dd { (shown(&frame.version)) } }
            }
        }
    }
}
