//! Proofs by views as files.

use std::io::{self, Write};

use serde::de::{Error, MapAccess};
use serde::{Deserialize, Serialize};
use suppose_model::program::semantics::Channel;
use suppose_model::program::symmetry::Symmetry;
use suppose_model::program::views::{Exposed, Exposure, Local, Shared, Split, View};
use suppose_model::program::{Program, Question, ViewProof};

use crate::file::frame::{Formats, at_most};
use crate::file::object::Fields;
use crate::file::text::ChannelText;
use crate::file::write::{field, json, write_list};
use crate::program::file::ProgramEvidence;

impl ProgramEvidence for ViewProof {
    const FORMATS: Formats = Formats {
        certificate: "suppose views certificate",
        counterexample: "",
        neither: "this is no proof by views",
        version: 2,
    };
    const WHAT: &'static str = "a proof by views";

    fn question(&self) -> Question {
        self.question
    }

    fn write_rest(&self, program: &Program, out: &mut impl Write) -> io::Result<()> {
        let split = &self.split;
        field(out, "processes_at_a_time", &2u32)?;
        field(out, "places", &split.places)?;
        field(out, "merge", &split.merge)?;
        field(out, "for_any_number", &self.for_any)?;
        let alike = self.symmetry.as_ref().map(SymmetryText::from);
        field(out, "alike", &alike)?;
        let owned = split.owners.iter().zip(&program.globals);
        let owned = owned.filter_map(|(owner, slot)| Some((slot.name.as_str(), (*owner)?)));
        field(out, "owners", &owned.collect::<Vec<(&str, u32)>>())?;
        let exposed: Vec<ExposureText> = split.exposed.iter().map(ExposureText::from).collect();
        field(out, "exposed", &exposed)?;
        out.write_all(b"\"locals\":")?;
        write_list(out, &self.locals, |out, local| {
            json(out, &LocalText::from(local))
        })?;
        out.write_all(b",\n\"shared\":")?;
        write_list(out, &self.shared, |out, shared| {
            json(out, &SharedText::from(shared))
        })?;
        out.write_all(b",\n\"views\":")?;
        write_list(out, &self.views, |out, view| {
            let (a, b) = (view.first, view.second);
            json(out, &[view.shared, a.0, a.1, b.0, b.1])
        })
    }

    fn read_rest<'de, A: MapAccess<'de>>(
        program: &Program,
        question: Question,
        most: u64,
        fields: &mut Fields<A>,
    ) -> Result<Self, A::Error> {
        let size: u32 = fields.next("processes_at_a_time")?;
        if size != 2 {
            return Err(A::Error::custom("views must be of two processes"));
        }
        let places = fields.next("places")?;
        let merge = fields.next("merge")?;
        let for_any = fields.next("for_any_number")?;
        let alike: Option<SymmetryText> = fields.next("alike")?;
        let owners: Vec<(String, u32)> = fields.next("owners")?;
        let owners = slot_owners(program, &owners).map_err(A::Error::custom)?;
        let exposed: Vec<ExposureText> = fields.next("exposed")?;
        let locals: Vec<LocalText> = fields.next("locals")?;
        let shared: Vec<SharedText> = fields.next("shared")?;
        let views: Vec<[u32; 5]> = fields.next("views")?;
        at_most(most, views.len())?;
        let view = |[shared, a, la, b, lb]: [u32; 5]| View {
            shared,
            first: (a, la),
            second: (b, lb),
        };
        Ok(ViewProof {
            question,
            split: Split {
                places,
                owners,
                exposed: exposed.into_iter().map(Exposure::from).collect(),
                merge,
            },
            for_any,
            symmetry: alike.map(Symmetry::from),
            locals: locals.into_iter().map(Local::from).collect(),
            shared: shared.into_iter().map(Shared::from).collect(),
            views: views.into_iter().map(view).collect(),
        })
    }
}

/// Owners in the order of the slots; each is named by the variable.
fn slot_owners(program: &Program, owned: &[(String, u32)]) -> Result<Vec<Option<u32>>, String> {
    let mut owned = owned.iter().peekable();
    let each = program.globals.iter().map(|slot| {
        let next = owned.next_if(|(name, _)| *name == slot.name);
        next.map(|(_, owner)| *owner)
    });
    let owners = each.collect();
    match owned.next() {
        None => Ok(owners),
        Some((name, _)) => Err(format!("there is no variable `{name}` at that place")),
    }
}

/// Processes that can be exchanged, and what is added to their numbers in the variables that hold them.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SymmetryText {
    proctype: u32,
    first: u32,
    count: u32,
    globals: Vec<Option<i32>>,
    locals: Vec<Vec<Option<i32>>>,
    fields: Vec<Vec<Option<i32>>>,
}

impl From<&Symmetry> for SymmetryText {
    fn from(it: &Symmetry) -> Self {
        SymmetryText {
            proctype: it.proctype,
            first: it.first,
            count: it.count,
            globals: it.globals.clone(),
            locals: it.locals.clone(),
            fields: it.fields.clone(),
        }
    }
}

impl From<SymmetryText> for Symmetry {
    fn from(it: SymmetryText) -> Self {
        Symmetry {
            proctype: it.proctype,
            first: it.first,
            count: it.count,
            globals: it.globals,
            locals: it.locals,
            fields: it.fields,
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExposureText {
    proctype: u32,
    locations: Vec<u32>,
    how: HowText,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum HowText {
    Count,
    Bits,
    Witnesses,
}

impl From<&Exposure> for ExposureText {
    fn from(it: &Exposure) -> Self {
        ExposureText {
            proctype: it.proctype,
            locations: it.locations.clone(),
            how: match it.how {
                Exposed::Count => HowText::Count,
                Exposed::Bits => HowText::Bits,
                Exposed::Witnesses => HowText::Witnesses,
            },
        }
    }
}

impl From<ExposureText> for Exposure {
    fn from(it: ExposureText) -> Self {
        Exposure {
            proctype: it.proctype,
            locations: it.locations,
            how: match it.how {
                HowText::Count => Exposed::Count,
                HowText::Bits => Exposed::Bits,
                HowText::Witnesses => Exposed::Witnesses,
            },
        }
    }
}

/// Location, priority, variables, owned variables.
#[derive(Serialize, Deserialize)]
struct LocalText(u32, u8, Vec<i32>, Vec<i32>);

impl From<&Local> for LocalText {
    fn from(it: &Local) -> Self {
        LocalText(
            it.location,
            it.priority,
            it.locals.clone(),
            it.owned.clone(),
        )
    }
}

impl From<LocalText> for Local {
    fn from(LocalText(location, priority, locals, owned): LocalText) -> Self {
        Local {
            location,
            locals,
            priority,
            owned,
        }
    }
}

/// Variables, proctypes, channels, `_last`, claim, exposed values.
#[derive(Serialize, Deserialize)]
struct SharedText(Vec<i32>, Vec<u32>, Vec<ChannelText>, u32, u32, Vec<u64>);

impl From<&Shared> for SharedText {
    fn from(it: &Shared) -> Self {
        SharedText(
            it.globals.clone(),
            it.processes.clone(),
            it.channels.iter().map(ChannelText::from).collect(),
            it.last,
            it.claim,
            it.exposed.clone(),
        )
    }
}

impl From<SharedText> for Shared {
    fn from(SharedText(globals, processes, channels, last, claim, exposed): SharedText) -> Self {
        Shared {
            globals,
            processes,
            channels: channels.into_iter().map(Channel::from).collect(),
            last,
            claim,
            exposed,
        }
    }
}
