//! JUnit's XML: a test suite for each model, a test case for each claim.

use std::fmt::Write;
use std::time::Duration;

use crate::several::{Checked, CheckedClaim, Standing};
use crate::words::shown;

/// More steps of a counterexample are not listed.
const MOST_STEPS: usize = 200;

/// One document for all models.
pub fn junit(checked: &[Checked]) -> String {
    let suites: Vec<Suite> = checked.iter().map(suite).collect();
    let sum = |count: fn(&Suite) -> usize| suites.iter().map(count).sum::<usize>();
    let time: f64 = checked.iter().map(|m| m.elapsed.as_secs_f64()).sum();
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        text,
        "<testsuites name=\"suppose\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{time:.6}\">",
        sum(|s| s.tests),
        sum(|s| s.failures),
        sum(|s| s.errors),
        sum(|s| s.skipped)
    );
    for (model, suite) in checked.iter().zip(&suites) {
        let _ = writeln!(
            text,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{}\">\n{}  </testsuite>",
            escaped(&model.file),
            suite.tests,
            suite.failures,
            suite.errors,
            suite.skipped,
            seconds(model.elapsed),
            suite.cases
        );
    }
    text.push_str("</testsuites>\n");
    text
}

#[derive(Default)]
struct Suite {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
    cases: String,
}

fn suite(model: &Checked) -> Suite {
    let mut suite = Suite::default();
    if let Some(expected) = &model.expected {
        let inside = match expected.is_met {
            true => None,
            false => {
                let text = format!("expected {}, found {}", expected.verdict, model.outcome);
                suite.failures += 1;
                Some(element("failure", &text, &detail(model)))
            }
        };
        suite.case(model, "verdict", model.elapsed, inside);
        return suite;
    }
    if model.claims.is_empty() {
        suite.errors += 1;
        let inside = element("error", &model.outcome, &detail(model));
        suite.case(model, "model", model.elapsed, Some(inside));
        return suite;
    }
    for claim in &model.claims {
        let sentence = claim.sentence();
        let inside = match claim.standing() {
            Standing::Passed => None,
            Standing::Failed => {
                suite.failures += 1;
                Some(element("failure", &sentence, &steps(claim)))
            }
            Standing::Undecided => {
                suite.errors += 1;
                Some(element("error", &sentence, ""))
            }
            Standing::Skipped => {
                suite.skipped += 1;
                let message = escaped(&sentence);
                Some(format!("      <skipped message=\"{message}\"/>\n"))
            }
        };
        let time = claim.elapsed.unwrap_or_default();
        suite.case(model, &claim.name, time, inside);
    }
    suite
}

impl Suite {
    fn case(&mut self, model: &Checked, name: &str, time: Duration, inside: Option<String>) {
        self.tests += 1;
        let (file, name) = (escaped(&model.file), escaped(name));
        let start = format!(
            "    <testcase classname=\"{file}\" name=\"{name}\" file=\"{file}\" time=\"{}\"",
            seconds(time)
        );
        let _ = match inside {
            None => writeln!(self.cases, "{start}/>"),
            Some(inside) => writeln!(self.cases, "{start}>\n{inside}    </testcase>"),
        };
    }
}

fn element(name: &str, message: &str, text: &str) -> String {
    let message = escaped(message);
    let body: Vec<String> = text.lines().map(escaped).collect();
    let body = body.join("\n");
    format!("      <{name} message=\"{message}\" type=\"{name}\">{body}</{name}>\n")
}

/// What is wrong with a model.
fn detail(model: &Checked) -> String {
    let line = |error: &crate::several::Problem| match &error.place {
        Some(at) => format!("{}:{}: {}", shown(&at.file), at.line, shown(&error.message)),
        None => shown(&error.message).into_owned(),
    };
    let errors = model.errors.iter().map(line);
    let claims = model.claims.iter().map(|c| c.sentence());
    errors.chain(claims).collect::<Vec<_>>().join("\n")
}

/// The steps of a counterexample.
fn steps(claim: &CheckedClaim) -> String {
    let numbered = claim.steps.iter().enumerate().take(MOST_STEPS);
    let mut lines: Vec<String> = numbered
        .map(|(number, (text, place))| {
            let place = place.as_ref();
            let place = place.map_or(String::new(), |p| {
                format!("{}:{}: ", shown(&p.file), p.line)
            });
            format!("{}. {place}{}", number + 1, shown(text))
        })
        .collect();
    let more = claim.steps.len().saturating_sub(MOST_STEPS);
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    lines.push(shown(&claim.ending).into_owned());
    lines.join("\n")
}

fn seconds(time: Duration) -> String {
    format!("{:.6}", time.as_secs_f64())
}

/// Text between tags or in quotes. What is no character of XML is shown as `\u{1b}`.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in shown(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            c => out.push(c),
        }
    }
    out
}
