//! Lenses above claims: check, counterexample, result.

use lsp_types::{CodeLens, Command, Range as Area};
use serde_json::json;
use suppose::Language;
use suppose::options::table;
use suppose_frontends::index::{Symbol, SymbolKind};

use crate::document::Document;

/// The commands of the server.
pub(crate) const COMMANDS: [&str; 4] = [
    "suppose.check",
    "suppose.simulate",
    "suppose.counterexample",
    "suppose.result",
];

/// The lenses of a document.
pub(crate) fn lenses(document: &Document) -> Vec<CodeLens> {
    let Some(language) = document.language.filter(|_| !document.is_part()) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    let top = Area::default();
    all.push(lens(document, top, "check all", "suppose.check", None));
    if can_simulate(language) {
        all.push(lens(document, top, "simulate", "suppose.simulate", None));
    }
    let claims = claims(document);
    for (area, claim) in &claims {
        let (area, title) = (*area, format!("check {claim}"));
        all.push(lens(document, area, &title, "suppose.check", Some(claim)));
        let Some(verdict) = document.verdicts.get(claim) else {
            continue;
        };
        all.push(lens(
            document,
            area,
            &verdict.title(),
            "suppose.result",
            Some(claim),
        ));
        if verdict.word == "violated" {
            let command = "suppose.counterexample";
            all.push(lens(document, area, "show the run", command, Some(claim)));
        }
    }
    let is_shown = |name: &str| claims.iter().any(|(_, claim)| claim == name);
    let others = document.verdicts.iter();
    for (name, verdict) in others.filter(|(name, _)| !is_shown(name)) {
        let title = format!("{name}: {}", verdict.title());
        all.push(lens(document, top, &title, "suppose.result", Some(name)));
    }
    all
}

fn can_simulate(language: Language) -> bool {
    let mut commands = table::COMMANDS.iter();
    commands.any(|c| c.command == "simulate" && c.languages.contains(&language))
}

fn lens(
    document: &Document,
    range: Area,
    title: &str,
    command: &str,
    claim: Option<&str>,
) -> CodeLens {
    let argument = json!({ "uri": document.uri.as_str(), "property": claim });
    CodeLens {
        range,
        command: Some(Command::new(
            title.to_owned(),
            command.to_owned(),
            Some(vec![argument]),
        )),
        data: None,
    }
}

/// The claims in the text, with the names by which they are asked for.
fn claims(document: &Document) -> Vec<(Area, String)> {
    let index = document.index();
    let known = document.reading.as_ref().map(|r| &r.claims);
    let is_known = |name: &str| known.is_none_or(|all| all.iter().any(|c| c == name));
    let properties = index
        .symbols()
        .iter()
        .filter(|s| s.kind == SymbolKind::Property);
    let properties: Vec<&Symbol> = properties.collect();
    let by_number = are_in_main(document, &properties);
    let mut all = Vec::new();
    for (number, symbol) in properties.iter().enumerate() {
        let is_named = symbol.extent.start != symbol.span.start;
        let name = match (index.language(), is_named) {
            // SPEC without a name: by its number, if each stands for itself.
            (Language::Smv, false) if by_number => number.to_string(),
            (Language::Smv, false) => continue,
            _ => symbol.name.clone(),
        };
        if is_known(&name) || index.language() == Language::Smv {
            all.push((document.area(&symbol.span), name));
        }
    }
    if is_known("assertions") {
        let places = index.assertions().iter();
        all.extend(places.map(|span| (document.area(span), "assertions".to_owned())));
    }
    all
}

/// Are all claims in the main module, so that each stands for itself?
fn are_in_main(document: &Document, properties: &[&Symbol]) -> bool {
    let mut symbols = document.index().symbols().iter();
    let main = symbols.find(|s| s.kind == SymbolKind::Process && s.name == "main");
    main.is_some_and(|main| {
        let inside =
            |s: &&Symbol| main.extent.start <= s.extent.start && s.extent.end <= main.extent.end;
        properties.iter().all(inside)
    })
}
