//! Evidence about programs as files: runs, proofs about infinite runs and proofs by views.
//!
//! Files are untrusted. Reading one checks its form, and that it is about a question that the program has; whether it shows
//! anything is left to [`run`](super::run()), [`live`](super::live()) and [`views`](crate::views::views()). The formats are
//! described in `docs/certificates.md`.

use std::io::{self, BufWriter, Read, Write};
use std::marker::PhantomData;

use serde::de::{Error, MapAccess};
use suppose_model::program::{Program, Question};

use crate::file::frame::{Format, Formats, Head, read_evidence, write_end, write_start};
use crate::file::object::Fields;
use crate::file::write::field;
use crate::file::{Malformed, Model, ReadLimits};

/// Evidence about one question of a program. It names types of this crate that others cannot, so no other crate implements it.
pub trait ProgramEvidence: Sized {
    /// The words that the file begins with, all of them in `certificate`.
    #[doc(hidden)]
    const FORMATS: Formats;
    /// What is expected, for messages.
    #[doc(hidden)]
    const WHAT: &'static str;

    /// What it is about.
    fn question(&self) -> Question;

    /// Can it be about that question?
    fn fits(_program: &Program, _question: Question) -> bool {
        true
    }

    /// Writes the fields after the question.
    #[doc(hidden)]
    fn write_rest(&self, program: &Program, out: &mut impl Write) -> io::Result<()>;

    /// Reads them; the longest list has at most so many items.
    #[doc(hidden)]
    fn read_rest<'de, A: MapAccess<'de>>(
        program: &Program,
        question: Question,
        most: u64,
        fields: &mut Fields<A>,
    ) -> Result<Self, A::Error>;
}

/// Writes evidence about the program that was read from those models. The same evidence gives the same bytes.
pub fn write<E: ProgramEvidence>(
    out: impl Write,
    program: &Program,
    models: &[Model],
    evidence: &E,
) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    let (format, version) = (E::FORMATS.certificate, E::FORMATS.version);
    write_start(&mut out, format, version, Some(&program.name), models)?;
    field(
        &mut out,
        "question",
        program.question_name(evidence.question()),
    )?;
    evidence.write_rest(program, &mut out)?;
    write_end(&mut out)
}

/// Does a file begin as one with this kind of evidence does?
pub fn is_one<E: ProgramEvidence>(input: impl Read) -> bool {
    E::FORMATS.begins_certificate(input)
}

/// Reads evidence about the program that was read from those models. Their hashes must be the ones in the file; their names may
/// differ.
pub fn read<E: ProgramEvidence>(
    input: impl Read,
    program: &Program,
    models: &[Model],
    limits: &ReadLimits,
) -> Result<E, Malformed> {
    read_evidence::<ProgramFile<E>>(input, program, models, limits)
}

/// A file with evidence about a program.
struct ProgramFile<E>(PhantomData<E>);

impl<'s, E: ProgramEvidence> Format<'s> for ProgramFile<E> {
    type Subject = &'s Program;
    type Evidence = E;
    const FORMATS: Formats = E::FORMATS;
    const WHAT: &'static str = E::WHAT;

    fn read<'de, A: MapAccess<'de>>(
        program: &Program,
        _: &Head,
        left: u64,
        fields: &mut Fields<A>,
    ) -> Result<E, A::Error> {
        let name: String = fields.next("question")?;
        let question = question::<E>(program, &name).map_err(A::Error::custom)?;
        E::read_rest(program, question, left, fields)
    }
}

/// The only question of that name among those that the evidence can be about.
fn question<E: ProgramEvidence>(program: &Program, name: &str) -> Result<Question, String> {
    let questions = program.questions().into_iter();
    let mut named = questions.filter(|q| E::fits(program, *q) && program.question_name(*q) == name);
    match (named.next(), named.next()) {
        (Some(question), None) => Ok(question),
        (Some(_), Some(_)) => Err("two claims of the program have that name".to_owned()),
        _ => Err("the program has no such claim for this kind of proof".to_owned()),
    }
}
