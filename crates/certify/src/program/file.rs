//! Proofs about infinite runs as files.
//!
//! Files are untrusted. Reading one checks its form, and that it is about a question that the program has; whether it shows
//! anything is left to [`super::ranks`]. The format is described in `docs/certificates.md`.

use std::io::{self, Read, Write};

use serde::de::{Error, MapAccess};
use serde::{Deserialize, Serialize};
use suppose_model::program::semantics::{Channel, Process, State};
use suppose_model::program::{LiveProof, Program, RankedState};

use crate::file::frame::{Format, Formats, Head, read_evidence, write_end, write_start};
use crate::file::object::Fields;
use crate::file::text::{ChannelText, question};
use crate::file::write::{field, json, write_list};
use crate::file::{Limits, Malformed, Model};

/// The version of the format that is written, and the only one that is read.
pub const VERSION: u64 = 1;

const FORMATS: Formats = Formats {
    certificate: "suppose liveness certificate",
    counterexample: "",
    neither: "this is no proof about infinite runs",
    version: VERSION,
};

/// Writes a proof about the program that was read from those models. The same proof gives the same bytes.
pub fn write(
    out: impl Write,
    program: &Program,
    models: &[Model],
    proof: &LiveProof,
) -> io::Result<()> {
    let mut out = io::BufWriter::new(out);
    let system = Some(program.name.as_str());
    write_start(&mut out, FORMATS.certificate, VERSION, system, models)?;
    field(&mut out, "question", program.question_name(proof.question))?;
    field(&mut out, "fair", &proof.fair)?;
    field(&mut out, "missed", &proof.missed)?;
    out.write_all(b"\"states\":")?;
    write_list(&mut out, &proof.states, |out, ranked| {
        json(out, &StateText::from(ranked))
    })?;
    write_end(&mut out)
}

/// Does a file begin as a proof about infinite runs does?
pub fn is_one(input: impl Read) -> bool {
    FORMATS.begins_certificate(input)
}

/// Reads a proof about the program that was read from those models. Their hashes must be the ones in the file; their names may
/// differ.
pub fn read(
    input: impl Read,
    program: &Program,
    models: &[Model],
    limits: &Limits,
) -> Result<LiveProof, Malformed> {
    read_evidence::<LiveProofs>(input, program, models, limits)
}

struct LiveProofs;

impl<'s> Format<'s> for LiveProofs {
    type Subject = &'s Program;
    type Evidence = LiveProof;
    const FORMATS: Formats = FORMATS;
    const WHAT: &'static str = "a proof about infinite runs";

    fn read<'de, A: MapAccess<'de>>(
        program: &Program,
        _: &Head,
        left: u64,
        fields: &mut Fields<A>,
    ) -> Result<LiveProof, A::Error> {
        let name: String = fields.next("question")?;
        let question =
            question(program, &name, |q| program.is_liveness(q)).map_err(A::Error::custom)?;
        let fair = fields.next("fair")?;
        let missed = fields.next("missed")?;
        let states: Vec<StateText> = fields.next("states")?;
        if states.len() as u64 > left {
            return Err(A::Error::custom("the file is too large"));
        }
        Ok(LiveProof {
            question,
            fair,
            states: states.into_iter().map(RankedState::from).collect(),
            missed,
        })
    }
}

/// Proctype, location, priority, variables.
#[derive(Serialize, Deserialize)]
struct ProcessText(u32, u32, u8, Vec<i32>);

/// Number, claim, variables, processes, channels, `_last`.
#[derive(Serialize, Deserialize)]
struct StateText(u32, u32, Vec<i32>, Vec<ProcessText>, Vec<ChannelText>, u32);

impl From<&RankedState> for StateText {
    fn from(it: &RankedState) -> Self {
        let state = &it.state;
        let process =
            |p: &Process| ProcessText(p.proctype, p.location, p.priority, p.locals.clone());
        StateText(
            it.number,
            it.claim,
            state.globals.clone(),
            state.processes.iter().map(process).collect(),
            state.channels.iter().map(ChannelText::from).collect(),
            state.last,
        )
    }
}

impl From<StateText> for RankedState {
    fn from(StateText(number, claim, globals, processes, channels, last): StateText) -> Self {
        let process = |ProcessText(proctype, location, priority, locals)| Process {
            proctype,
            location,
            locals,
            priority,
        };
        RankedState {
            state: State {
                globals,
                processes: processes.into_iter().map(process).collect(),
                channels: channels.into_iter().map(Channel::from).collect(),
                last,
                alone: None,
                events: None,
                lenient: false,
                asking: Vec::new(),
            },
            claim,
            number,
        }
    }
}
