//! `suppose certify` on probabilistic systems, and the writing of evidence about them.

use std::io;

use serde_json::json;
use suppose_certify::file::sections::Section;
use suppose_certify::file::{Malformed, ReadLimits};
use suppose_certify::mdp::file::{self, Evidence, PropertyEvidence};
use suppose_certify::mdp::{check_certificate, check_counterexample};
use suppose_certify::{Rejection, mdp};
use suppose_control::Supervisor;
use suppose_model::mdp::{Answer, Claim, Proof, PropertyCounterexample, Refutation, Verdict};
use suppose_report::{grouped, shown};

use super::read::{Parting, read};
use super::{MarkovModel, evidence};
use crate::certify::{EvidenceTask, Judged};
use crate::evidence_file::Documents;
use crate::failure::Failure;
use crate::session::Session;

/// What was accepted, in numbers.
enum Accepted {
    Certificate(mdp::Summary),
    Tree { nodes: usize },
    Property { name: String, verdict: Verdict },
}

/// Checks evidence again.
pub fn certify(task: &EvidenceTask) -> Result<Vec<Judged>, Failure> {
    let (documents, session) = (task.documents, task.session);
    let limits = ReadLimits::default();
    // The system is read once, with all properties that the evidence is about.
    let mut names = Vec::new();
    for section in &documents.sections {
        names.push(file::property_name(documents.open(section)?, &limits));
    }
    let about = || names.iter().flatten().flatten();
    let mut asked: Vec<String> = about().map(|(name, _)| name.clone()).collect();
    asked.dedup();
    // The components that the evidence is about, by the modules in their names.
    let parting = match about().next() {
        Some((_, components)) => Parting::As(components.clone()),
        None => Parting::Usual,
    };
    let system = read(task.source, task.model, &asked, false, parting, session)?;
    let subject = MarkovModel {
        system: system.system,
        specification: system.specification,
        properties: system.properties,
        models: system.models,
    };
    let about = About {
        documents,
        subject: &subject,
        session,
    };
    let mut names = names.into_iter();
    task.each(|section| {
        let read = match names.next() {
            Some(Ok(Some((name, _)))) => about.property(section, name)?,
            Some(Ok(None)) => about.conformance(section)?,
            Some(Err(malformed)) => Err(malformed),
            None => Ok(Err(Rejection::flaw("there is nothing"))),
        };
        match read {
            Ok(Err(Rejection::Stopped(why))) => Err(Failure::limit(why)),
            Ok(Err(flawed)) => Ok(Judged::rejected(flawed.to_string())),
            Ok(Ok(accepted)) => Ok(told(accepted)),
            Err(malformed) => Ok(Judged::rejected(documents.unreadable(section, &malformed))),
        }
    })
}

type Judgement = Result<Result<Accepted, Rejection>, Malformed>;

/// What evidence is about.
struct About<'a> {
    documents: &'a Documents,
    subject: &'a MarkovModel,
    session: &'a Session,
}

impl About<'_> {
    fn conformance(&self, section: &Section) -> Result<Judgement, Failure> {
        let Some(specification) = &self.subject.specification else {
            let failure = Failure::usage("the evidence is about a specification");
            return Err(failure.help("name it with --spec"));
        };
        let input = self.documents.open(section)?;
        let system = &self.subject.system;
        let limits = ReadLimits::default();
        let evidence = match file::read(input, system, specification, &self.subject.models, &limits)
        {
            Ok(evidence) => evidence,
            Err(malformed) => return Ok(Err(malformed)),
        };
        self.session.counters.begin("checking the evidence");
        let cx = self.session.context();
        Ok(Ok(match evidence {
            Evidence::Certificate(proof) => {
                check_certificate(system, specification, &proof, &cx).map(Accepted::Certificate)
            }
            Evidence::Counterexample(found) => {
                let nodes = found.states.len();
                check_counterexample(system, specification, &found, &cx)
                    .map(|_| Accepted::Tree { nodes })
            }
        }))
    }

    fn property(&self, section: &Section, name: String) -> Result<Judgement, Failure> {
        let input = self.documents.open(section)?;
        let system = &self.subject.system;
        let read = file::read_property(input, system, &self.subject.models, &ReadLimits::default());
        let verdict = match read {
            Ok(PropertyEvidence::Holds(proof)) => Verdict::Holds(Proof::Property(proof)),
            Ok(PropertyEvidence::Violated(found)) => Verdict::Violated(Refutation::Property(found)),
            Ok(PropertyEvidence::Value(value)) => Verdict::Holds(Proof::Value(value)),
            Err(malformed) => return Ok(Err(malformed)),
        };
        let claim = Claim::Property(name.clone());
        let Some(asked) = evidence::asked(self.subject, &claim) else {
            return Ok(Ok(Err(Rejection::flaw("there is no such property"))));
        };
        self.session.counters.begin("checking the evidence");
        let cx = self.session.context();
        let checked = evidence::of_property(self.subject, asked, &verdict, &cx);
        Ok(Ok(checked.map(|()| Accepted::Property { name, verdict })))
    }
}

fn told(accepted: Accepted) -> Judged {
    let conformance = Claim::Conformance.name().to_owned();
    match accepted {
        Accepted::Certificate(summary) => {
            let line = format!(
                "certificate for {conformance}: accepted ({} premises, {} assumptions, {} pairs, {} choices)",
                summary.premises,
                summary.assumptions,
                grouped(summary.pairs),
                grouped(summary.choices)
            );
            Judged::holds(conformance, line, json!(summary))
        }
        Accepted::Tree { nodes } => {
            let line = format!("counterexample for {conformance}: accepted ({nodes} nodes)");
            Judged::violated(conformance, line, json!({ "nodes": nodes }))
        }
        Accepted::Property { name, verdict } => {
            let shown = shown(&name).into_owned();
            match verdict {
                Verdict::Violated(Refutation::Property(found)) => {
                    let nodes = match &*found {
                        PropertyCounterexample::Tree(tree) => tree.states.len(),
                        PropertyCounterexample::Bounds(_) => 0,
                    };
                    let line = format!("counterexample for {shown}: accepted");
                    Judged::violated(name, line, json!({ "nodes": nodes }))
                }
                Verdict::Holds(Proof::Value(value)) => {
                    let line = format!(
                        "certificate for {shown}: accepted (between {} and {})",
                        value.lower, value.upper
                    );
                    let sizes = json!({ "lower": value.lower.to_string(), "upper": value.upper.to_string() });
                    Judged::holds(name, line, sizes)
                }
                _ => {
                    let line = format!("certificate for {shown}: accepted");
                    Judged::holds(name, line, json!({}))
                }
            }
        }
    }
}

/// Writes the evidence of an answer, which has some.
pub fn write(out: impl io::Write, subject: &MarkovModel, answer: &Answer) -> io::Result<()> {
    let (system, models) = (&subject.system, &subject.models);
    let missing = || io::Error::other("there is no specification");
    let specification = || subject.specification.as_ref().ok_or_else(missing);
    let evidence = match &answer.verdict {
        Verdict::Unknown(_)
        | Verdict::Holds(Proof::NoDeadlock)
        | Verdict::Violated(Refutation::Deadlock(_)) => {
            return Ok(());
        }
        Verdict::Holds(Proof::Conformance(proof)) => {
            return file::write_certificate(out, system, specification()?, models, proof);
        }
        Verdict::Violated(Refutation::Conformance { tree, .. }) => {
            return file::write_counterexample(out, system, specification()?, models, tree);
        }
        Verdict::Holds(Proof::Property(proof)) => PropertyEvidence::Holds(proof.clone()),
        Verdict::Violated(Refutation::Property(found)) => PropertyEvidence::Violated(found.clone()),
        Verdict::Holds(Proof::Value(value)) => PropertyEvidence::Value(value.clone()),
    };
    file::write_property(out, system, models, answer.claim.name(), &evidence)
}
