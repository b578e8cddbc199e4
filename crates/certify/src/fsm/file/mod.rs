//! Evidence about finite-domain systems as files.
//!
//! Files are untrusted. Reading one checks its form, and that it mentions variables, values and a property that the system has; whether it
//! proves anything is left to [`check`]. What reading takes in memory is at most a small multiple of the file's length. The
//! format is described in `docs/certificates.md`.

mod text;

use std::io::{self, Read, Write};

use serde::de::{Deserialize, Error, MapAccess};
use suppose_model::fsm::{Claim, Dialect, Proof, Shows, System, Trace};

use super::{
    Accepted, CheckLimits, Expected, Refusal, check_deadlock, check_deadlock_free,
    check_no_initial_state, check_proof, check_run, check_small, flaw,
};
use crate::file::frame::{Format, Formats, Head, at_most, read_evidence, write_end, write_start};
use crate::file::object::Fields;
use crate::file::read::{deserializer, malformed};
use crate::file::write::{field, json, unknown, write_list};
use crate::file::{Malformed, Model, ReadLimits};

/// The version of the format that is written, and the only one that is read.
pub const VERSION: u64 = 1;

const FORMATS: Formats = Formats {
    certificate: "suppose smv certificate",
    counterexample: "suppose smv counterexample",
    neither: "this is no evidence about an SMV model",
    version: VERSION,
};

/// What a system was read from, and how: the same file in another dialect is another system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The files.
    pub models: Vec<Model>,
    /// The dialect in which they were read.
    pub dialect: Dialect,
}

/// The evidence in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// A run that violates the property.
    Run(Trace, Shows),
    /// A run to a state without a step.
    Deadlock(Trace),
    /// Why the property holds, or that there is no initial state.
    Proof(Proof),
    /// Nothing but the verdict: the system is small enough to look again.
    Verdict(Expected),
}

impl Evidence {
    /// Does it claim that the property is violated?
    pub fn is_counterexample(&self) -> bool {
        matches!(
            self,
            Evidence::Run(..) | Evidence::Deadlock(_) | Evidence::Verdict(Expected::Violated)
        )
    }
}

/// Checks evidence about a claim.
pub fn check(
    system: &System,
    claim: Claim,
    evidence: &Evidence,
    limits: &CheckLimits,
) -> Result<Accepted, Refusal> {
    let question = match claim {
        Claim::Deadlock => None,
        Claim::Property(number) => match system.properties.get(number) {
            Some(property) => Some(&property.question),
            None => return flaw("there is no such property"),
        },
    };
    match (question, evidence) {
        (Some(question), Evidence::Run(trace, shows)) => {
            check_run(system, question, trace, *shows, limits)
        }
        (Some(question), Evidence::Proof(proof)) => check_proof(system, question, proof, limits),
        (Some(question), Evidence::Verdict(expected)) => {
            check_small(system, question, *expected, limits)
        }
        (None, Evidence::Deadlock(trace)) => check_deadlock(system, trace, limits),
        (None, Evidence::Proof(proof)) => check_no_initial_state(system, proof, limits),
        (None, Evidence::Verdict(Expected::Holds)) => check_deadlock_free(system, limits),
        (Some(_), Evidence::Deadlock(_)) => {
            flaw("a run to a deadlock says nothing about a property")
        }
        (None, Evidence::Run(..) | Evidence::Verdict(_)) => {
            flaw("a deadlock is shown by a run that ends in it")
        }
    }
}

/// Writes evidence about a claim on the system that was read from there. The same evidence gives the same bytes. Fails
/// on evidence that mentions what the system does not have.
pub fn write(
    out: impl Write,
    system: &System,
    origin: &Origin,
    claim: Claim,
    evidence: &Evidence,
) -> io::Result<()> {
    let mut out = io::BufWriter::new(out);
    let property = match claim {
        Claim::Deadlock => None,
        Claim::Property(number) => {
            Some(text::PropertyText::of(system, number).ok_or_else(unknown)?)
        }
    };
    let format = FORMATS.word(evidence.is_counterexample());
    let names: Vec<&str> = system.variables.iter().map(|v| v.name.as_str()).collect();
    write_start(
        &mut out,
        format,
        VERSION,
        Some(&system.name),
        &origin.models,
    )?;
    field(
        &mut out,
        "dialect",
        &text::DialectText::from(origin.dialect),
    )?;
    field(&mut out, "variables", &names)?;
    field(&mut out, "property", &property)?;
    write_evidence(&mut out, system, evidence)?;
    write_end(&mut out)
}

fn write_evidence(out: &mut impl Write, system: &System, evidence: &Evidence) -> io::Result<()> {
    match evidence {
        Evidence::Run(trace, shows) => {
            field(out, "kind", "run")?;
            field(out, "shows", text::show(*shows))?;
            write_run(out, system, trace)
        }
        Evidence::Deadlock(trace) => {
            field(out, "kind", "stuck")?;
            write_run(out, system, trace)
        }
        Evidence::Proof(Proof::Invariant(set)) => {
            field(out, "kind", "invariant")?;
            out.write_all(b"\"set\":")?;
            json(out, &text::SetText::of(system, set).ok_or_else(unknown)?)
        }
        Evidence::Proof(Proof::Induction(depth)) => {
            field(out, "kind", "induction")?;
            out.write_all(b"\"depth\":")?;
            json(out, depth)
        }
        Evidence::Proof(Proof::Abstraction(clusters)) => {
            field(out, "kind", "abstraction")?;
            out.write_all(b"\"clusters\":")?;
            write_list(out, clusters, |out, cluster| {
                let cluster = text::ClusterText::of(system, cluster);
                json(out, &cluster.ok_or_else(unknown)?)
            })
        }
        Evidence::Verdict(expected) => {
            field(out, "kind", "verdict")?;
            out.write_all(b"\"verdict\":")?;
            json(out, &text::VerdictText::from(*expected))
        }
    }
}

fn write_run(out: &mut impl Write, system: &System, trace: &Trace) -> io::Result<()> {
    let run = text::RunText::of(system, trace).ok_or_else(unknown)?;
    field(out, "loops_to", &run.loops_to)?;
    out.write_all(b"\"inputs\":")?;
    write_list(out, &run.inputs, json_line)?;
    out.write_all(b",\n\"states\":")?;
    write_list(out, &run.states, json_line)
}

fn json_line<W: Write>(out: &mut W, line: &Vec<String>) -> io::Result<()> {
    json(out, line)
}

/// Reads evidence about the system that was read from there, and the claim it is about. The hashes of the models and the dialect must be the
/// ones in the file; names may differ. A file that says nothing of the dialect is about NuSMV's. `limits.vectors` bounds decisions and states.
pub fn read(
    input: impl Read,
    system: &System,
    origin: &Origin,
    limits: &ReadLimits,
) -> Result<(Claim, Evidence), Malformed> {
    read_evidence::<SmvFile>(input, (system, origin.dialect), &origin.models, limits)
}

/// What a file says it is about: enough to read the model, and to find the part of the system that the evidence is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// The dialect of the model.
    pub dialect: Dialect,
    /// The claim.
    pub claim: Claim,
}

/// Looks what a file is about, and at nothing else in it.
pub fn about(input: impl Read, limits: &ReadLimits) -> Result<About, Malformed> {
    let mut source = deserializer(input, limits);
    let about = text::AboutText::deserialize(&mut source).map_err(malformed)?;
    Ok(About {
        dialect: about.dialect.map_or(Dialect::NuSmv, Dialect::from),
        claim: about
            .property
            .map_or(Claim::Deadlock, |it| Claim::Property(it.number)),
    })
}

/// Evidence about a property of an SMV model.
struct SmvFile;

impl<'s> Format<'s> for SmvFile {
    type Subject = (&'s System, Dialect);
    type Evidence = (Claim, Evidence);
    const FORMATS: Formats = FORMATS;

    fn read<'de, A: MapAccess<'de>>(
        (system, ours): (&System, Dialect),
        head: &Head,
        most: u64,
        fields: &mut Fields<A>,
    ) -> Result<(Claim, Evidence), A::Error> {
        let dialect: Option<text::DialectText> = fields.next_if("dialect")?;
        if dialect.map_or(Dialect::NuSmv, Dialect::from) != ours {
            let why = "the model is read in another dialect than the evidence is about";
            return Err(A::Error::custom(why));
        }
        let names: Vec<String> = fields.next("variables")?;
        if !names.iter().eq(system.variables.iter().map(|v| &v.name)) {
            return Err(A::Error::custom("the system has other variables"));
        }
        let property: Option<text::PropertyText> = fields.next("property")?;
        let claim = match property {
            None => Claim::Deadlock,
            Some(it) => Claim::Property(it.number(system).map_err(A::Error::custom)?),
        };
        let evidence = Shape { system, most }.evidence(fields)?;
        match evidence.is_counterexample() == head.is_counterexample {
            true => Ok((claim, evidence)),
            false => Err(A::Error::custom("the format does not fit the evidence")),
        }
    }
}

/// What evidence must fit: the variables of a system, and a limit on its size.
struct Shape<'a> {
    system: &'a System,
    most: u64,
}

impl Shape<'_> {
    fn run<'de, A: MapAccess<'de>>(&self, fields: &mut Fields<A>) -> Result<Trace, A::Error> {
        let run = text::RunText {
            loops_to: fields.next("loops_to")?,
            inputs: fields.next("inputs")?,
            states: fields.next("states")?,
        };
        at_most(self.most, run.states.len())?;
        run.trace(self.system).map_err(A::Error::custom)
    }

    fn evidence<'de, A: MapAccess<'de>>(
        &self,
        fields: &mut Fields<A>,
    ) -> Result<Evidence, A::Error> {
        let kind: String = fields.next("kind")?;
        match kind.as_str() {
            "run" => {
                let shows: String = fields.next("shows")?;
                let shows = text::shows(&shows).map_err(A::Error::custom)?;
                Ok(Evidence::Run(self.run(fields)?, shows))
            }
            "stuck" => Ok(Evidence::Deadlock(self.run(fields)?)),
            "invariant" => {
                let set: text::SetText = fields.next("set")?;
                at_most(self.most, set.len())?;
                Ok(Evidence::Proof(Proof::Invariant(set.decisions())))
            }
            "induction" => Ok(Evidence::Proof(Proof::Induction(fields.next("depth")?))),
            "abstraction" => {
                let clusters: Vec<text::ClusterText> = fields.next("clusters")?;
                at_most(self.most, clusters.iter().map(text::ClusterText::len).sum())?;
                let clusters = clusters.into_iter().map(text::ClusterText::cluster);
                Ok(Evidence::Proof(Proof::Abstraction(clusters.collect())))
            }
            "verdict" => {
                let verdict: text::VerdictText = fields.next("verdict")?;
                Ok(Evidence::Verdict(verdict.into()))
            }
            other => Err(A::Error::custom(format!(
                "unknown kind of evidence `{other}`"
            ))),
        }
    }
}
