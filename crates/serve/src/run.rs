//! The work of jobs, each on a thread of its own.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use suppose::simulate::Transcript;
use suppose::{CertifyOptions, Failure, PremiseResult, Report, RunOptions, TrialOptions};

use crate::App;
use crate::jobs::{Done, Evidence};
use crate::observe::Progress;
use crate::request::{Model, Question};

/// Counterexamples are replayed for so many claims.
const RUNS: usize = 100;

/// Checks a model; the evidence is kept.
pub(crate) fn check(
    app: &App,
    id: u64,
    model: &Model,
    question: &Question,
    progress: Arc<Progress>,
) -> Result<Done, Failure> {
    let source = model.source(app)?;
    let file = app.jobs.file(&format!("{id}.cert"));
    let options = question.check(model, app.limits, Some(file.clone()))?;
    let report = suppose::check(&source, &options, progress)?;
    let mut done = described(&report);
    if file.is_file() {
        let options = CertifyOptions {
            certificate: file,
            model: options.model,
            run: RunOptions {
                limits: question.limits(app.limits),
                ..RunOptions::default()
            },
        };
        done.evidence = Some(Evidence { source, options });
    }
    Ok(done)
}

/// Finds assumptions.
pub(crate) fn assume(
    app: &App,
    model: &Model,
    question: &Question,
    progress: Arc<Progress>,
) -> Result<Done, Failure> {
    let source = model.source(app)?;
    let options = question.assume(model, app.limits)?;
    let report = suppose::assume(&source, &options, progress)?;
    Ok(described(&report))
}

/// Tries an assumption about the components that the question names.
pub(crate) fn trial(
    app: &App,
    model: &Model,
    question: &Question,
    assumption: &str,
    progress: Arc<Progress>,
) -> Result<Done, Failure> {
    let source = model.source(app)?;
    let options = TrialOptions {
        model: model.options(),
        property: question.claims.first().cloned().unwrap_or_default(),
        about: question.components.clone(),
        assumption: assumption.to_owned(),
        run: RunOptions {
            limits: question.limits(app.limits),
            ..RunOptions::default()
        },
    };
    let trial = suppose::attempt(&source, &options, progress)?;
    let premise = |p: &PremiseResult| {
        json!({
            "says": p.says,
            "verdict": p.verdict,
            "reason": p.reason,
            "certified": p.is_certified,
            "run": p.run.as_ref().map(Transcript::json),
        })
    };
    let premises: Vec<Value> = trial.premises.iter().map(premise).collect();
    let body = json!({ "states": trial.states, "proves": trial.proves(), "premises": premises });
    Ok(Done {
        body: body.to_string(),
        ..Done::default()
    })
}

/// A report with its counterexamples.
fn described(report: &Report) -> Done {
    let mut runs = BTreeMap::new();
    let mut claims: Vec<Value> = Vec::new();
    for claim in report.claims() {
        let mut why_no_run = None;
        if claim.verdict == "violated" && runs.len() < RUNS {
            match report.replay_of(&claim.name) {
                Some(Ok(transcript)) => {
                    let mut run = transcript.json();
                    run["last_line"] = transcript.last_line().into();
                    runs.insert(claim.name.clone(), run.to_string());
                }
                Some(Err(failed)) => why_no_run = Some(failed.to_string()),
                None => {}
            }
        }
        claims.push(json!({
            "name": claim.name,
            "verdict": claim.verdict,
            "reason": claim.reason,
            "engine": claim.engine,
            "certified": claim.is_certified,
            "run": runs.contains_key(&claim.name),
            "why_no_run": why_no_run,
        }));
    }
    let whole: Value = serde_json::from_str(&report.json()).unwrap_or_default();
    let body = json!({
        "claims": claims,
        "last_line": report.last_line(),
        "text": report.text(false),
        "warnings": report.warnings(),
        "failure_text": report.failure().map(|f| f.text(false)),
        "bug": report.bug(),
        "report": whole,
    });
    Done {
        body: body.to_string(),
        runs,
        html: report.html(),
        evidence: None,
    }
}

/// Checks kept evidence again. No engine is involved.
pub(crate) fn certify(evidence: &Evidence) -> Value {
    let judged = suppose::certify(
        &evidence.source,
        &evidence.options,
        Arc::new(suppose::Silent),
    );
    match judged {
        Ok(judgement) => json!({
            "accepted": judgement.is_accepted(),
            "last_line": judgement.last_line(),
            "text": judgement.text(),
            "document": serde_json::from_str::<Value>(&judgement.json()).unwrap_or_default(),
        }),
        Err(failure) => failed(&failure),
    }
}

/// A failure, for the page.
pub(crate) fn failed(failure: &Failure) -> Value {
    let told: Value = serde_json::from_str(&failure.json()).unwrap_or_default();
    json!({ "failure": told })
}
