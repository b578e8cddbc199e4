//! `--witness`: evidence about a C program as SV-COMP's tools exchange it.

use std::time::{SystemTime, UNIX_EPOCH};

use suppose_certify::file::Model;
use suppose_frontends::c::{CProgram, Claim, WitnessTask};
use suppose_model::chc::Verdict;
use suppose_source::Sources;

use crate::failure::Failure;

const ASSERTIONS: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )";
const VALID_DEREF: &str = "CHECK( init(main()), LTL(G valid-deref) )";
const VALID_FREE: &str = "CHECK( init(main()), LTL(G valid-free) )";
const NO_OVERFLOW: &str = "CHECK( init(main()), LTL(G ! overflow) )";

/// The witness of a verdict; without a verdict there is none.
pub fn text(
    program: &CProgram,
    sources: &Sources,
    model: &Model,
    verdict: &Verdict,
) -> Result<Option<String>, Failure> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = now.map_or(0, |t| t.as_secs());
    Ok(Some(match verdict {
        Verdict::Unknown(_) => return Ok(None),
        Verdict::Holds(proof) => {
            let task = task(model, program, "holds", seconds);
            program.correctness_witness(&proof.terms, &proof.definitions, sources, &task)
        }
        Verdict::Violated(found) => {
            let task = task(model, program, "violated", seconds);
            let Some(tree) = program.call_tree(&found.derivation) else {
                let what = "the derivation could not be followed through the program";
                return Err(Failure::internal(what));
            };
            program.violation_witness(&tree, sources, &task)
        }
    }))
}

fn task(model: &Model, program: &CProgram, verdict: &str, seconds: u64) -> WitnessTask {
    let specification = match program.claim() {
        Claim::Assertions => ASSERTIONS,
        Claim::NoOverflow => NO_OVERFLOW,
        Claim::ValidDeref => VALID_DEREF,
        Claim::ValidFree => VALID_FREE,
    };
    WitnessTask {
        file: model.file.clone(),
        hash: model.sha256.clone(),
        specification: specification.to_owned(),
        uuid: uuid(&format!("{} {verdict} {seconds}", model.sha256)),
        creation_time: time(seconds),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    }
}

/// A UUID of the kind that is made from a name (version 8, by SHA-256).
fn uuid(name: &str) -> String {
    let digits = Model::of("", name.as_bytes()).sha256;
    format!(
        "{}-{}-8{}-a{}-{}",
        &digits[..8],
        &digits[8..12],
        &digits[13..16],
        &digits[17..20],
        &digits[20..32]
    )
}

/// Seconds since 1970 in the form of ISO 8601. The days are counted in years that begin in March, so that the
/// day that comes and goes is the last.
fn time(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_709_251_200, "2024-03-01T00:00:00Z"),
            (4_102_444_800, "2100-01-01T00:00:00Z"),
        ] {
            assert_eq!(time(seconds), text);
        }
    }

    #[test]
    fn a_uuid_has_its_form() {
        let uuid = uuid("x");
        let sizes: Vec<usize> = uuid.split('-').map(str::len).collect();
        assert_eq!(sizes, [8, 4, 4, 4, 12]);
    }
}
