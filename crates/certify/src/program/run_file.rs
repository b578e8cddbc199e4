//! Runs of programs as files: what shows that a claim is violated.

use std::io::{self, Write};

use serde::de::{Error, MapAccess};
use serde::{Deserialize, Serialize};
use suppose_model::program::run::{Cycle, TraceStep};
use suppose_model::program::{Program, Question, Trace, Violation};

use super::file::ProgramEvidence;
use crate::file::frame::{Formats, at_most};
use crate::file::object::Fields;
use crate::file::write::{field, json, write_list};

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

impl ProgramEvidence for Trace {
    const FORMATS: Formats = Formats {
        certificate: "suppose program counterexample",
        counterexample: "",
        neither: "this is no run of a program",
        version: 1,
    };
    const WHAT: &'static str = "a run of a program";

    fn question(&self) -> Question {
        self.question
    }

    fn write_rest(&self, _: &Program, out: &mut impl Write) -> io::Result<()> {
        let word = VIOLATIONS.iter().find(|(v, _)| *v == self.violation);
        field(out, "violation", word.map_or("", |(_, word)| *word))?;
        let cycle = self.cycle.map(|c| CycleText(c.step, c.claim, c.fair));
        field(out, "cycle", &cycle)?;
        field(out, "claim", &self.claim)?;
        out.write_all(b"\"steps\":")?;
        write_list(out, &self.steps, |out, step| {
            json(out, &StepText::from(step))
        })
    }

    fn read_rest<'de, A: MapAccess<'de>>(
        _: &Program,
        question: Question,
        most: u64,
        fields: &mut Fields<A>,
    ) -> Result<Self, A::Error> {
        let word: String = fields.next("violation")?;
        let violation = VIOLATIONS.iter().find(|(_, w)| *w == word);
        let Some((violation, _)) = violation else {
            return Err(A::Error::custom("nothing of that name can be wrong"));
        };
        let cycle: Option<CycleText> = fields.next("cycle")?;
        let claim: Vec<u32> = fields.next("claim")?;
        let steps: Vec<StepText> = fields.next("steps")?;
        at_most(most, steps.len())?;
        Ok(Trace {
            question,
            steps: steps.into_iter().map(TraceStep::from).collect(),
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

impl From<&TraceStep> for StepText {
    fn from(it: &TraceStep) -> Self {
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

impl From<StepText> for TraceStep {
    fn from(StepText(process, edges, partner, rest, more, claim): StepText) -> Self {
        TraceStep {
            process,
            edges,
            partner,
            rest,
            more,
            claim,
        }
    }
}
