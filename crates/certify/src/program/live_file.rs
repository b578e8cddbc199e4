//! Proofs about infinite runs as files.

use std::io::{self, Write};

use serde::de::MapAccess;
use serde::{Deserialize, Serialize};
use suppose_model::program::semantics::{Channel, Process, State};
use suppose_model::program::{LiveProof, Program, Question, RankedState};

use super::file::ProgramEvidence;
use crate::file::frame::{Formats, at_most};
use crate::file::object::Fields;
use crate::file::text::ChannelText;
use crate::file::write::{field, json, write_list};

impl ProgramEvidence for LiveProof {
    const FORMATS: Formats = Formats {
        certificate: "suppose liveness certificate",
        counterexample: "",
        neither: "this is no proof about infinite runs",
        version: 1,
    };
    const WHAT: &'static str = "a proof about infinite runs";

    fn question(&self) -> Question {
        self.question
    }

    fn fits(program: &Program, question: Question) -> bool {
        program.is_liveness(question)
    }

    fn write_rest(&self, _: &Program, out: &mut impl Write) -> io::Result<()> {
        field(out, "fair", &self.fair)?;
        field(out, "missed", &self.missed)?;
        out.write_all(b"\"states\":")?;
        write_list(out, &self.states, |out, ranked| {
            json(out, &StateText::from(ranked))
        })
    }

    fn read_rest<'de, A: MapAccess<'de>>(
        _: &Program,
        question: Question,
        most: u64,
        fields: &mut Fields<A>,
    ) -> Result<Self, A::Error> {
        let fair = fields.next("fair")?;
        let missed = fields.next("missed")?;
        let states: Vec<StateText> = fields.next("states")?;
        at_most(most, states.len())?;
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
