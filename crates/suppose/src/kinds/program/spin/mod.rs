//! `suppose spin`: SPIN on a smaller program.
//!
//! The states of one process are merged as the property allows until few enough are left. If that decides
//! the property, SPIN is not needed. Otherwise an automaton takes the place of the process, SPIN
//! searches that program, and what it finds is told in terms of the original one. Only here does
//! this program run others.

mod rewrite;
pub mod run;
mod trail;

use std::time::{Duration, Instant};

use suppose_compose::quotient::{self, Mode};
use suppose_explicit::decompose::Part;
use suppose_model::program::{Answer, Proof, Question, Search, Trace, Verdict};
use suppose_model::{EvidenceStatus, Reason, Run};
use suppose_report::grouped;

use super::engines::{self, ProgramEngines};
use super::parts::Parts;
use super::read::read;
use super::{ProgramFinding, ProgramModel, Programs};
use crate::failure::Failure;
use crate::kinds::network::engines::{Bounds, Engine};
use crate::options::{ClaimOptions, SpinOptions};
use crate::session::Session;
use crate::source::Source;

/// Memory for SPIN's search when nothing is said, in megabytes.
const MEMORY: u64 = 4096;

/// Decides by SPIN, with an automaton in the place of a process.
pub(crate) fn spin(
    source: &Source,
    options: &SpinOptions,
    session: &Session,
) -> Result<(), Failure> {
    if options.property != "assertions" {
        let message = format!("`suppose spin` cannot ask for `{}`", options.property);
        let failure = Failure::usage(message);
        return Err(failure.help("it asks for assertions; `suppose check` knows all properties"));
    }
    session.counters.begin("reading");
    let system = read(source, &options.model)?;
    let text = first_text(&system.sources);
    let bodies: Vec<_> = system.processes.iter().map(|p| p.body).collect();
    let claims = ClaimOptions {
        properties: vec![options.property.clone()],
        deadlock: false,
        no_deadlock: true,
    };
    let (model, _) = session.note(super::ask(system, &claims, false)?);
    let engines = ProgramEngines::for_process(&model, &options.process, session)?;
    let finding = match engines.parts() {
        Ok(parts) => {
            let part = choose(&engines, parts)?;
            let proctype = model.program.proctypes.iter();
            let body = proctype
                .zip(&bodies)
                .find(|(p, _)| {
                    part.name == p.name || part.name.starts_with(&format!("{}[", p.name))
                })
                .map(|(_, body)| *body);
            let front = Front {
                subject: &model,
                parts,
                part: &part,
                text: &text,
                body: body
                    .filter(|b| b.file.0 == 0)
                    .map(|b| b.start as usize..b.end as usize),
            };
            front.decide(&engines, options, session)?
        }
        Err(reason) => {
            let reason = reason.clone();
            engines::unknown(Question::Assertions, "spin", reason, "asked for")
        }
    };
    session.settle::<Programs>(finding);
    Ok(())
}

fn first_text(sources: &suppose_source::Sources) -> String {
    let file = sources.file(suppose_source::FileId(0));
    file.map_or(String::new(), |f| f.text().to_owned())
}

/// The process asked for, or the best one.
fn choose(engines: &ProgramEngines, parts: &Parts) -> Result<Part, Failure> {
    let component = engines.process(Question::Assertions);
    let all = parts.decomposed.parts.iter();
    let part = all.clone().find(|p| Some(p.component) == component);
    part.cloned().ok_or_else(|| {
        let names: Vec<&str> = all.map(|p| p.name.as_str()).collect();
        let help = format!("the processes are {}", names.join(", "));
        Failure::usage("one process is to be replaced").help(help)
    })
}

/// What is needed to put an automaton in the place of a process.
struct Front<'a> {
    subject: &'a ProgramModel,
    parts: &'a Parts,
    part: &'a Part,
    text: &'a str,
    body: Option<std::ops::Range<usize>>,
}

impl Front<'_> {
    fn decide(
        &self,
        engines: &ProgramEngines,
        args: &SpinOptions,
        session: &Session,
    ) -> Result<ProgramFinding, Failure> {
        let question = Question::Assertions;
        let unknown = |reason: Reason| {
            let why = format!("`{}` was to be replaced", self.part.name);
            engines::unknown(question, "spin", reason, &why)
        };
        let Some(property) = self.parts.property(question) else {
            return Ok(unknown(Reason::Unsupported(
                "there is nothing to ask".to_owned(),
            )));
        };
        let begun = Instant::now();
        session.counters.begin("merging states");
        let options = quotient::QuotientOptions {
            mode: Mode::Threshold(args.threshold),
            ..quotient::QuotientOptions::default()
        };
        let cx = Bounds::default().context(session);
        let network = &self.parts.decomposed.network;
        let process = [self.part.component];
        let found = match quotient::requirement(network, property, &process, &options, &cx) {
            Ok(found) => found,
            Err(reason) => return Ok(unknown(reason)),
        };
        if found.decided.is_some() && !args.always {
            let why = "merging states decided it before SPIN was needed";
            return Ok(engines.by(Engine::Quotient, question, &Bounds::default(), why));
        }
        let Some(body) = self.body.clone() else {
            let why = format!("the text of `{}` is not in the file itself", self.part.name);
            return Ok(unknown(Reason::Unsupported(why)));
        };
        let new = match self.rewritten(body, &found.quotient) {
            Ok(new) => new,
            Err(why) => return Ok(unknown(Reason::Unsupported(why))),
        };
        if let Some(path) = &args.output {
            session.files.write(path, new.text.as_bytes())?;
        }
        let said = match self.ask_spin(&new, args, session) {
            Ok(said) => said,
            Err(why) => return Ok(unknown(Reason::Unsupported(why))),
        };
        let how = format!(
            "SPIN searched {} states with `{}` of {} states instead of {}",
            grouped(said.states),
            self.part.name,
            found.quotient.states(),
            found.process.states()
        );
        let run = Run {
            states: said.states,
            largest: said.states,
            elapsed: begun.elapsed(),
            assumption_peak: found.quotient.states() as u64,
            ..Run::default()
        };
        match said.errors {
            Some(0) if !said.incomplete => Ok(holds(question, run, &said, how)),
            Some(errors) if errors > 0 => Ok(self.violated(engines, &new, &said, run, how)),
            _ => Ok(unknown(out_of(&said, session))),
        }
    }

    fn rewritten(
        &self,
        body: std::ops::Range<usize>,
        automaton: &suppose_model::lts::Lts,
    ) -> Result<rewrite::Rewritten, String> {
        let proctypes = self.parts.decomposed.parts.iter();
        let name = |p: &Part| p.name.split('[').next().unwrap_or_default().to_owned();
        let own = name(self.part);
        let alone = proctypes.filter(|p| name(p) == own).count() == 1 && self.part.name == own;
        let (program, taken) = (&self.subject.program, &self.parts.decomposed);
        rewrite::rewrite(self.text, body, program, taken, self.part, automaton, alone)
    }

    fn ask_spin(
        &self,
        new: &rewrite::Rewritten,
        args: &SpinOptions,
        session: &Session,
    ) -> Result<run::SpinResult, String> {
        session.counters.begin("SPIN");
        let folder = run::Folder::new().map_err(|e| format!("no folder for SPIN: {e}"))?;
        let file = folder.path().join("model.pml");
        std::fs::write(file, &new.text).map_err(|e| format!("cannot write for SPIN: {e}"))?;
        for (name, text) in included(&self.subject.sources) {
            let path = folder.path().join(name);
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent).map_err(|e| e.to_string())?;
            }
            std::fs::write(path, text).map_err(|e| format!("cannot write for SPIN: {e}"))?;
        }
        let defines = args.model.constants.iter();
        let defines: Vec<String> = defines.map(|(n, v)| format!("{n}={v}")).collect();
        let left = args
            .run
            .limits
            .timeout
            .map(|t| t.saturating_sub(session.watch.elapsed()));
        // A little earlier than the limit, so that there is time for the report.
        let left = left.map(|t| t.saturating_sub(Duration::from_millis(300)));
        let limits = run::SpinLimits {
            until: left.map(|t| Instant::now() + t),
            memory: args
                .run
                .limits
                .memory
                .map_or(MEMORY, |bytes| (bytes >> 20).max(1)),
        };
        run::check(
            folder.path(),
            &defines,
            run::Ask {
                end_states: false,
                trail: true,
            },
            limits,
        )
    }

    /// SPIN's run in the original program, or else a run of it that Suppose finds.
    fn violated(
        &self,
        engines: &ProgramEngines,
        new: &rewrite::Rewritten,
        said: &run::SpinResult,
        run: Run,
        how: String,
    ) -> ProgramFinding {
        let process = self.part.process as u32;
        let others = said.trail.iter().filter(|(who, _)| *who != process);
        let script: Option<Vec<_>> = others
            .map(|(who, line)| Some((*who, new.original_line(*line)?)))
            .collect();
        let follow = |steps: Vec<trail::Scripted>| {
            let script = trail::Script {
                program: &self.subject.program,
                sources: &self.subject.sources,
                process,
                steps: &steps,
            };
            script.follow(200_000)
        };
        let trace: Option<Trace> = script.and_then(follow);
        match trace {
            Some(trace) => {
                let answer = Answer {
                    claim: Question::Assertions,
                    engine: "spin".to_owned(),
                    verdict: Verdict::Violated(trace),
                    run,
                    search: None,
                };
                engines.judged(
                    answer,
                    &format!("{how}; its run was followed in the original"),
                )
            }
            None => {
                let why = format!("{how} and found a run; this is another one, of the original");
                engines.by(
                    Engine::Quotient,
                    Question::Assertions,
                    &Bounds::default(),
                    &why,
                )
            }
        }
    }
}

/// The files that a program includes, by name.
fn included(sources: &suppose_source::Sources) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for number in 1.. {
        let Some(file) = sources.file(suppose_source::FileId(number)) else {
            return all;
        };
        let name = std::path::Path::new(file.name());
        let plain = |c: std::path::Component| matches!(c, std::path::Component::Normal(_));
        if name.components().all(plain) {
            all.push((file.name().to_owned(), file.text().to_owned()));
        }
    }
    all
}

fn holds(question: Question, run: Run, said: &run::SpinResult, how: String) -> ProgramFinding {
    let memory = (said.memory * 1024.0 * 1024.0) as u64;
    let answer = Answer {
        claim: question,
        engine: "spin".to_owned(),
        verdict: Verdict::Holds(Proof::Exhaustive(None)),
        run,
        search: Some(Search {
            depth: 0,
            memory,
            how: how.clone(),
            fair: false,
        }),
    };
    let evidence = EvidenceStatus::NotChecked("it is SPIN's word".to_owned());
    ProgramFinding::new(answer, evidence, how)
}

fn out_of(said: &run::SpinResult, session: &Session) -> Reason {
    match session.watch.limits().timeout {
        Some(limit) if session.watch.elapsed() + Duration::from_secs(1) >= limit => Reason::Timeout,
        _ if said.incomplete => Reason::Memory,
        _ => Reason::Unsupported("SPIN gave no verdict".to_owned()),
    }
}
