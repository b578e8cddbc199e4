//! The report as one HTML file that needs nothing else.
//!
//! The page allows itself one style sheet and one script, by hash, and nothing from anywhere; all
//! text goes through the template's escaping after [`shown`] made it visible.

mod chart;
pub(crate) mod claim;
pub(crate) mod history;
pub(crate) mod steps;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html as markup};
use sha2::{Digest, Sha256};

use crate::Document;
use crate::draw;
use crate::words::{self, count, grouped, shown};
use crate::{Checked, Evidence, Report, Standing};

const SCRIPT: &str = include_str!("page.js");
const STYLE: &str = include_str!("page.css");

/// The report as one self-contained HTML file.
pub fn html(report: &Report) -> String {
    let claims = markup! {
        @for (number, checked) in report.checked.iter().enumerate() {
            (claim::section(report, checked, number))
        }
    };
    let rows = markup! {
        @for (number, checked) in report.checked.iter().enumerate() {
            (summary_row(report, checked, number))
        }
    };
    page(report, &title(report), &report.overall(), rows, claims)
}

/// What the two columns with numbers of the table of verdicts are.
#[derive(Clone, Copy)]
pub(crate) struct Columns(pub [&'static str; 2]);

/// A page with that title and verdict, rows of its table of verdicts, and sections after it.
pub(crate) fn page(
    report: &Report,
    title: &str,
    overall: &Standing,
    rows: Markup,
    sections: Markup,
) -> String {
    let columns = Columns(["States", "Transitions"]);
    page_of(report, title, overall, columns, rows, sections)
}

/// The same with other numbers in the table of verdicts.
pub(crate) fn page_of(
    report: &Report,
    title: &str,
    overall: &Standing,
    columns: Columns,
    rows: Markup,
    sections: Markup,
) -> String {
    let style = format!("{}\n{STYLE}", draw::style());
    let policy = format!(
        "default-src 'none'; style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'",
        hash(&style),
        hash(SCRIPT)
    );
    let page = markup! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="generator" content=(format!("suppose {}", shown(report.version)));
                title { (overall) " – " (title) }
                style { (PreEscaped(&style)) }
            }
            body {
                (header(report, title, overall))
                main {
                    (warnings(report))
                    (summary(report, columns, rows))
                    @if !report.network.components.is_empty() || !report.checked.is_empty() { (system(report)) }
                    (sections)
                }
                (footer(report))
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

/// A page without a verdict.
pub(crate) fn bare_page(version: &str, title: &str, sections: Markup) -> String {
    let style = format!("{}\n{STYLE}", draw::style());
    let policy = format!(
        "default-src 'none'; style-src '{}'; base-uri 'none'; form-action 'none'",
        hash(&style)
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
                header { p class="kicker" { "Suppose" } h1 { (name(title)) } }
                main { (sections) }
            }
        }
    };
    page.into_string()
}

fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

/// What the report is about: the system's name, or the files.
fn title(report: &Report) -> String {
    match report.network.name.is_empty() {
        false => shown(&report.network.name).into_owned(),
        true => files(report),
    }
}

fn files(report: &Report) -> String {
    let names: Vec<_> = report.files.iter().map(|f| shown(f)).collect();
    names.join(", ")
}

/// The verdict with its colour.
pub(crate) fn badge(standing: &Standing) -> Markup {
    markup! { span class=(format!("badge {}", standing.word())) { (standing.word()) } }
}

/// A name that cannot disturb the direction of the text around it.
pub(crate) fn name(text: &str) -> Markup {
    markup! { bdi { (shown(text)) } }
}

fn header(report: &Report, title: &str, overall: &Standing) -> Markup {
    let sentence = match overall {
        Standing::Holds => "Everything that was asked holds.".to_owned(),
        Standing::Violated(name) => format!("Violated: {}.", shown(&words::heading(name))),
        Standing::Unknown(why) => format!("Not decided: {}.", shown(why)),
    };
    markup! {
        header class=(overall.word()) {
            p class="kicker" { "Suppose · report" }
            h1 { (name(title)) }
            p class="verdict" { (badge(overall)) " " span class="sentence" { (sentence) } }
            p class="files" {
                @for (at, file) in report.files.iter().enumerate() {
                    @if at > 0 { ", " }
                    code { (name(file)) }
                }
            }
        }
    }
}

fn warnings(report: &Report) -> Markup {
    markup! {
        @if !report.warnings.is_empty() {
            section class="card warnings" aria-label="Warnings" {
                ul { @for warning in &report.warnings { li { (name(warning)) } } }
            }
        }
    }
}

fn summary(report: &Report, columns: Columns, rows: Markup) -> Markup {
    markup! {
        section class="card" {
            h2 { "Verdicts" }
            div class="scroll" { table class="summary" {
                thead { tr {
                    th scope="col" { "Claim" } th scope="col" { "Verdict" } th scope="col" { "Engine" }
                    @for column in columns.0 { th scope="col" class="number" { (column) } }
                    th scope="col" class="number" { "Time" } th scope="col" { "Evidence" }
                } }
                tbody {
                    (rows)
                    @for (claim, reason) in &report.undecided {
                        tr {
                            th scope="row" { (name(claim)) }
                            td { (badge(&Standing::Unknown(String::new()))) }
                            td colspan="5" { (name(reason)) }
                        }
                    }
                }
            } }
        }
    }
}

fn summary_row(report: &Report, checked: &Checked, number: usize) -> Markup {
    let run = &checked.answer.run;
    let claim = words::heading(&report.claim_name(checked.answer.claim));
    markup! {
        tr {
            th scope="row" { a href=(format!("#claim-{}", number + 1)) { (name(&claim)) } }
            td { (badge(&report.standing(checked))) }
            td { (name(&checked.answer.engine)) }
            td class="number" { (grouped(run.states)) }
            td class="number" { (grouped(run.transitions)) }
            td class="number" { (words::duration(run.elapsed)) }
            td { (evidence_word(checked)) }
        }
    }
}

/// What became of the evidence, in a word or two.
pub(super) fn evidence_word(checked: &Checked) -> &'static str {
    match &checked.answer.verdict {
        suppose_model::Verdict::Unknown(_) => "none",
        _ => judged(&checked.evidence),
    }
}

/// What was said of evidence, in a word or two.
pub(crate) fn judged(evidence: &Evidence) -> &'static str {
    match evidence {
        Evidence::Accepted => "accepted",
        Evidence::NotChecked(_) => "not checked",
        Evidence::Rejected(_) => "rejected",
    }
}

fn system(report: &Report) -> Markup {
    let network = report.network;
    let parts = network.processes().len() as u64;
    let few = network.components.len() <= 10;
    markup! {
        section class="card" {
            h2 { "System" }
            p {
                (count(parts, "component")) ", "
                (count(network.labels.iter().count() as u64, "label")) ", "
                @match network.properties.len() {
                    1 => { "1 property" }
                    many => { (grouped(many as u64)) " properties" }
                }
                "."
            }
            @if !network.components.is_empty() {
                details open[few] {
                    summary { "Components and the labels they share" }
                    (drawing(draw::network_in_page(network), "The system", "Point at a part to see its size."))
                }
            }
        }
    }
}

/// A picture with the means to move about in it.
pub(crate) fn drawing(picture: Markup, label: &str, hint: &str) -> Markup {
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

fn footer(report: &Report) -> Markup {
    let limit = |text: Option<String>| text.unwrap_or_else(|| "none".to_owned());
    markup! {
        footer {
            dl {
                div { dt { "Time" } dd { (words::duration(report.elapsed)) } }
                div { dt { "Memory" } dd { (limit(report.peak_memory.map(words::bytes))) } }
                div { dt { "Time limit" } dd { (limit(report.limits.0.map(words::duration))) } }
                div { dt { "Memory limit" } dd { (limit(report.limits.1.map(words::bytes))) } }
                div { dt { "Seed" } dd { (report.seed) } }
                div { dt { "Version" } dd { (shown(report.version)) } }
            }
        }
    }
}
