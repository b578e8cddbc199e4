//! Runs of programs as files: what shows that a claim is violated.
//!
//! Files are untrusted. Reading one checks its form, and that it is about a question that the program has; whether it is a run, and whether
//! it shows anything, is left to [`super::run`]. The format is described in `docs/certificates.md`.

use std::io::{self, Read, Write};

use serde::de::{Error, MapAccess};
use serde::{Deserialize, Serialize};
use suppose_model::program::run::{Cycle, Step};
use suppose_model::program::{Program, Trace, Violation};

use crate::file::frame::{Formats, read_whole, write_end, write_start};
use crate::file::object::{Fields, ReadObject};
use crate::file::text::question;
use crate::file::write::{field, json, write_list};
use crate::file::{Limits, Malformed, Model};

/// The version of the format that is written, and the only one that is read.
pub const VERSION: u64 = 1;

const COUNTEREXAMPLE: &str = "suppose program counterexample";

const FORMATS: Formats = Formats {
    certificate: COUNTEREXAMPLE,
    counterexample: COUNTEREXAMPLE,
    neither: "this is no run of a program",
    version: VERSION,
};

/// What is wrong at the end of a run, in the words of the file.
const VIOLATIONS: [(Violation, &str); 17] = [
    (Violation::Assertion, "assertion"),
    (Violation::Index, "index"),
    (Violation::Division, "division"),
    (Violation::DStepBlocks, "d_step blocks"),
    (Violation::DStepRendezvous, "d_step rendezvous"),
    (Violation::Channel, "channel"),
    (Violation::Process, "process"),
    (Violation::TooMany, "too many"),
    (Violation::Endless, "endless"),
    (Violation::Promise, "promise"),
    (Violation::EndState, "end state"),
    (Violation::Claim, "claim"),
    (Violation::Cycle, "cycle"),
    (Violation::Event, "event"),
    (Violation::EventTwice, "event twice"),
    (Violation::EventsCame, "events came"),
    (Violation::EventsMissing, "events missing"),
];

/// Writes a run of the program that was read from those models. The same run gives the same bytes.
pub fn write(
    out: impl Write,
    program: &Program,
    models: &[Model],
    trace: &Trace,
) -> io::Result<()> {
    let mut out = io::BufWriter::new(out);
    let system = Some(program.name.as_str());
    write_start(&mut out, COUNTEREXAMPLE, VERSION, system, models)?;
    field(&mut out, "question", program.question_name(trace.question))?;
    let word = VIOLATIONS.iter().find(|(v, _)| *v == trace.violation);
    field(&mut out, "violation", word.map_or("", |(_, word)| *word))?;
    let cycle = trace.cycle.map(|c| CycleText(c.step, c.claim, c.fair));
    field(&mut out, "cycle", &cycle)?;
    field(&mut out, "claim", &trace.claim)?;
    out.write_all(b"\"steps\":")?;
    write_list(&mut out, &trace.steps, |out, step| {
        json(out, &StepText::from(step))
    })?;
    write_end(&mut out)
}

/// Does a file begin as a run of a program does?
pub fn is_one(input: impl Read) -> bool {
    FORMATS.begins_certificate(input)
}

/// Reads a run of the program that was read from those models. Their hashes must be the ones in the file; their names may
/// differ.
pub fn read(
    input: impl Read,
    program: &Program,
    models: &[Model],
    limits: &Limits,
) -> Result<Trace, Malformed> {
    let root = Root {
        program,
        models,
        most: limits.vectors,
    };
    read_whole(input, root, limits)
}

struct Root<'a> {
    program: &'a Program,
    models: &'a [Model],
    most: u64,
}

impl<'de> ReadObject<'de> for Root<'_> {
    type Value = Trace;
    const WHAT: &'static str = "a run of a program";

    fn read<A: MapAccess<'de>>(self, fields: &mut Fields<A>) -> Result<Trace, A::Error> {
        FORMATS.read_head(fields, self.models)?;
        let name: String = fields.next("question")?;
        let question = question(self.program, &name, |_| true).map_err(A::Error::custom)?;
        let word: String = fields.next("violation")?;
        let violation = VIOLATIONS.iter().find(|(_, w)| *w == word);
        let Some((violation, _)) = violation else {
            return Err(A::Error::custom("nothing of that name can be wrong"));
        };
        let cycle: Option<CycleText> = fields.next("cycle")?;
        let claim: Vec<u32> = fields.next("claim")?;
        let steps: Vec<StepText> = fields.next("steps")?;
        if steps.len() as u64 > self.most {
            return Err(A::Error::custom("the file is too large"));
        }
        Ok(Trace {
            question,
            steps: steps.into_iter().map(Step::from).collect(),
            claim,
            violation: *violation,
            cycle: cycle.map(|CycleText(step, claim, fair)| Cycle { step, claim, fair }),
        })
    }
}

/// The first step that repeats, the first move of the claim that does, and whether the run is weakly fair.
#[derive(Serialize, Deserialize)]
struct CycleText(usize, usize, bool);

/// Process, its edges, the partner and its edge, the partner's further edges, how many edges are left out, and the claim's edge before.
#[derive(Serialize, Deserialize)]
struct StepText(
    u32,
    Vec<u32>,
    Option<(u32, u32)>,
    Vec<u32>,
    u64,
    Option<u32>,
);

impl From<&Step> for StepText {
    fn from(it: &Step) -> Self {
        StepText(
            it.process,
            it.edges.clone(),
            it.partner,
            it.rest.clone(),
            it.more,
            it.claim,
        )
    }
}

impl From<StepText> for Step {
    fn from(StepText(process, edges, partner, rest, more, claim): StepText) -> Self {
        Step {
            process,
            edges,
            partner,
            rest,
            more,
            claim,
        }
    }
}
