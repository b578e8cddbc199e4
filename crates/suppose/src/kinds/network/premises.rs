//! `suppose convert --premises`: what a certificate rests on, for another tool.
//!
//! Every component, assumption and guarantee becomes an `.aut` file; so does the left side of each
//! premise as a whole, with the labels that its guarantee does not know made silent. A premise is
//! true if the weak traces of the left side are traces of the guarantee, which for example mCRL2
//! decides: `ltscompare --preorder=weak-trace premise-0.left.aut assumption-0.aut`.
//!
//! The format has no alphabets, so `index.json` lists them.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use suppose_certify::file::{Evidence, Malformed};
use suppose_frontends::aut;
use suppose_model::lts::{self, Label, Lts, LtsBuilder, Network, SizeLimits};
use suppose_model::{Certificate, Guarantee, Premise};

use super::certify;
use super::engines::claim_name;
use super::read::System;
use crate::evidence_file::Documents;
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::options::ConvertOptions;
use crate::session::Session;

/// The left side of a premise is composed up to this size.
const LEFT_SIDE: SizeLimits = SizeLimits {
    states: 1_000_000,
    transitions: 10_000_000,
};

/// Writes the premises of a certificate as `.aut` files.
pub(crate) fn write(
    system: &System,
    options: &ConvertOptions,
    certificate: &Path,
    session: &Session,
) -> Result<(), Failure> {
    let network = &system.loaded.network;
    let rejected = |malformed: Malformed| {
        let mut failure = Failure::file(format!("{}:{malformed}", certificate.display()));
        failure.status = ExitStatus::Rejected;
        failure
    };
    let documents = Documents::of(certificate)?.map_err(rejected)?;
    let mut proofs = Vec::new();
    for section in &documents.sections {
        if documents.none(section)?.is_some() {
            continue;
        }
        match certify::read(&documents, section, network, &system.models)? {
            Ok(Evidence::Certificate(proof)) => proofs.push(proof),
            Ok(Evidence::Counterexample(_)) => {}
            Err(malformed) => return Err(rejected(malformed)),
        }
    }
    session.counters.begin("writing premises");
    match proofs.as_slice() {
        [] => {
            let message = format!("there is no certificate in `{}`", certificate.display());
            return Err(Failure::file(message).help("counterexamples have no premises"));
        }
        [proof] => export(network, proof, &options.output, session)?,
        // Of several claims each has a folder of its own.
        proofs => {
            for proof in proofs {
                let folder = options.output.join(super::claim_word(proof.claim));
                export(network, proof, &folder, session)?;
            }
        }
    }
    Ok(())
}

/// Writes the premises of one claim's certificate.
fn export(
    network: &Network,
    proof: &Certificate,
    folder: &Path,
    session: &Session,
) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)
        .map_err(|e| Failure::file(format!("cannot make `{}`: {e}", folder.display())))?;
    let mut export = Export {
        network,
        proof,
        folder,
        session,
        alphabets: BTreeMap::new(),
    };
    let premises = proof.premises.iter().enumerate();
    let premises: Vec<Value> = premises
        .map(|(number, premise)| export.premise(number, premise))
        .collect::<Result<_, _>>()?;
    let index = json!({
        "schema": "suppose-premises",
        "schema_version": 1,
        "claim": claim_name(network, proof.claim),
        "premises": premises,
        "alphabets": export.alphabets,
    });
    let index = format!("{index:#}\n");
    session
        .files
        .write(&folder.join("index.json"), index.as_bytes())
}

struct Export<'a> {
    network: &'a Network,
    proof: &'a Certificate,
    folder: &'a Path,
    session: &'a Session,
    /// By file, in order.
    alphabets: BTreeMap<String, Vec<&'a str>>,
}

impl<'a> Export<'a> {
    fn premise(&mut self, number: usize, premise: &Premise) -> Result<Value, Failure> {
        let components = premise.components.iter();
        let components: Vec<String> = components
            .map(|i| self.part("component", *i, self.component(*i)?))
            .collect::<Result<_, _>>()?;
        let assumptions = premise.assumptions.iter();
        let assumptions: Vec<String> = assumptions
            .map(|i| self.part("assumption", *i, self.assumption(*i)?))
            .collect::<Result<_, _>>()?;
        let (right, guarantee) = match premise.guarantee {
            Guarantee::DeadlockFree => (None, "no deadlock".to_owned()),
            Guarantee::Assumption(i) => {
                let lts = self.assumption(i)?;
                (Some(lts), self.part("assumption", i, lts)?)
            }
            Guarantee::Property(i) => {
                let lts = self.property(i)?;
                (Some(lts), self.part("property", i, lts)?)
            }
        };
        let left = self.left(number, premise, right)?;
        Ok(json!({
            "components": components,
            "assumptions": assumptions,
            "guarantee": guarantee,
            "left": left,
            "to_check": match right {
                Some(_) => "weak traces of left are traces of guarantee",
                None => "left has no deadlock except at successful termination",
            },
        }))
    }

    /// Writes one automaton, once.
    fn part(&mut self, kind: &str, number: usize, lts: &'a Lts) -> Result<String, Failure> {
        let name = format!("{kind}-{number}.aut");
        if !self.alphabets.contains_key(&name) {
            let labels = &self.network.labels;
            let text = aut::write(lts, labels, aut::Tau::default());
            self.session
                .files
                .write(&self.folder.join(&name), text.as_bytes())?;
            let alphabet = lts.alphabet().iter().map(|l| labels.name(*l)).collect();
            self.alphabets.insert(name.clone(), alphabet);
        }
        Ok(name)
    }

    /// Writes the whole left side, if it is not too large.
    fn left(
        &self,
        number: usize,
        premise: &Premise,
        right: Option<&Lts>,
    ) -> Result<Option<String>, Failure> {
        let mut parts = Vec::new();
        for i in &premise.components {
            parts.push(self.component(*i)?);
        }
        for i in &premise.assumptions {
            parts.push(self.assumption(*i)?);
        }
        let free = right.map(|r| free_labels(&parts, r));
        parts.extend(&free);
        let rules = lts::Rules {
            priority: self.network.priority.as_ref(),
            outside: &self.network.errors,
            success: None,
        };
        let Ok(whole) = lts::compose_by("left", &parts, rules, &LEFT_SIDE) else {
            return Ok(None);
        };
        let shown = match right {
            None => whole.lts,
            Some(right) => whole.lts.map_labels(|l| match right.has_label(l) {
                true => l,
                false => Label::TAU,
            }),
        };
        let name = format!("premise-{number}.left.aut");
        let text = aut::write(&shown, &self.network.labels, aut::Tau::default());
        self.session
            .files
            .write(&self.folder.join(&name), text.as_bytes())?;
        Ok(Some(name))
    }

    fn component(&self, number: usize) -> Result<&'a Lts, Failure> {
        let found = self.network.components.get(number).map(|c| &c.lts);
        found.ok_or_else(|| no_part("component", number))
    }

    fn assumption(&self, number: usize) -> Result<&'a Lts, Failure> {
        let found = self.proof.assumptions.get(number).map(|a| &a.lts);
        found.ok_or_else(|| no_part("assumption", number))
    }

    fn property(&self, number: usize) -> Result<&'a Lts, Failure> {
        let found = self.network.properties.get(number).map(|p| &p.lts);
        found.ok_or_else(|| no_part("property", number))
    }
}

/// Labels of the guarantee that the left side lacks happen at any time.
fn free_labels(parts: &[&Lts], right: &Lts) -> Lts {
    let mut builder = LtsBuilder::new("free");
    let known = |l: &Label| parts.iter().any(|p| p.has_label(*l));
    for label in right.alphabet().iter().filter(|l| !known(l)) {
        builder.edge(0, *label, 0);
    }
    builder.build()
}

/// The file was read, so its form is right, but it is still untrusted.
fn no_part(kind: &str, number: usize) -> Failure {
    let mut failure = Failure::file(format!(
        "the certificate names {kind} {number}, which is not there"
    ));
    failure.status = ExitStatus::Rejected;
    failure
}
