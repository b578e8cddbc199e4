//! What files of evidence about all kinds of models begin with, and how they are read and written as a whole.

use std::io::{self, Read, Write};

use serde::de::{DeserializeSeed, Error, MapAccess};

use super::object::{Fields, Object, ReadObject};
use super::read::{deserializer, malformed};
use super::text::ModelText;
use super::write::field;
use super::{Malformed, Model, ReadLimits};

/// The words for what is in a file of a kind.
pub struct Formats {
    /// That a claim holds.
    pub certificate: &'static str,
    /// That it is violated; empty if there are no files of that sort.
    pub counterexample: &'static str,
    /// The error for a file with unknown words.
    pub neither: &'static str,
    /// The version that is written, and the only one that is read.
    pub version: u64,
}

/// What a file says it is about.
pub struct Head {
    /// Is a counterexample in it?
    pub is_counterexample: bool,
    /// The name of the system.
    pub system: String,
}

impl Formats {
    /// Reads what a file begins with; its models must be ours.
    pub fn read_head<'de, A: MapAccess<'de>>(
        &self,
        fields: &mut Fields<A>,
        models: &[Model],
    ) -> Result<Head, A::Error> {
        let is_counterexample = self.read(fields)?;
        read_version(fields, self.version)?;
        let system = fields.next("system")?;
        read_same_models(fields, models)?;
        Ok(Head {
            is_counterexample,
            system,
        })
    }

    /// Does a file begin as a certificate of this format does?
    pub fn begins_certificate(&self, mut input: impl Read) -> bool {
        let mut start = [0; 256];
        let mut length = 0;
        while let Ok(count @ 1..) = input.read(&mut start[length..]) {
            length += count;
        }
        let start = String::from_utf8_lossy(&start[..length]);
        start.contains(&format!("\"{}\"", self.certificate))
    }

    /// Is a counterexample in the file?
    pub fn read<'de, A: MapAccess<'de>>(&self, fields: &mut Fields<A>) -> Result<bool, A::Error> {
        let format: String = fields.next("format")?;
        match format.as_str() {
            it if it == self.certificate => Ok(false),
            it if it == self.counterexample && !it.is_empty() => Ok(true),
            _ => Err(A::Error::custom(self.neither)),
        }
    }

    /// The word for it.
    pub fn word(&self, is_counterexample: bool) -> &'static str {
        match is_counterexample {
            true => self.counterexample,
            false => self.certificate,
        }
    }
}

/// Evidence of a kind: what its file has after the start that all files have.
pub(crate) trait Format<'s> {
    /// What the evidence is about.
    type Subject;
    /// What is read.
    type Evidence;
    /// The words that the file begins with.
    const FORMATS: Formats;
    /// What is expected, for messages.
    const WHAT: &'static str = "evidence";

    /// Reads the rest, at most `left` numbers of it.
    fn read<'de, A: MapAccess<'de>>(
        subject: Self::Subject,
        head: &Head,
        left: u64,
        fields: &mut Fields<A>,
    ) -> Result<Self::Evidence, A::Error>;
}

/// Reads evidence about what was read from those models. Their hashes must be the ones in the file; their names may differ.
pub(crate) fn read_evidence<'s, F: Format<'s>>(
    input: impl Read,
    subject: F::Subject,
    models: &[Model],
    limits: &ReadLimits,
) -> Result<F::Evidence, Malformed> {
    let root = Root::<F> {
        subject,
        models,
        left: limits.vectors,
    };
    read_whole(input, root, limits)
}

struct Root<'a, 's, F: Format<'s>> {
    subject: F::Subject,
    models: &'a [Model],
    left: u64,
}

impl<'de, 's, F: Format<'s>> ReadObject<'de> for Root<'_, 's, F> {
    type Value = F::Evidence;
    const WHAT: &'static str = F::WHAT;

    fn read<A: MapAccess<'de>>(self, fields: &mut Fields<A>) -> Result<F::Evidence, A::Error> {
        let head = F::FORMATS.read_head(fields, self.models)?;
        F::read(self.subject, &head, self.left, fields)
    }
}

/// Reads a file that is one object.
pub(crate) fn read_whole<V>(
    input: impl Read,
    root: impl for<'de> ReadObject<'de, Value = V>,
    limits: &ReadLimits,
) -> Result<V, Malformed> {
    let mut source = deserializer(input, limits);
    let evidence = Object(root).deserialize(&mut source).map_err(malformed)?;
    source.end().map_err(malformed)?;
    Ok(evidence)
}

/// Reads the first fields of a file, and nothing after them.
pub(crate) fn read_start<V>(
    input: impl Read,
    start: impl for<'de> ReadObject<'de, Value = V>,
    limits: &ReadLimits,
) -> Result<V, Malformed> {
    let mut found = None;
    let only = Only(start, &mut found);
    let result = Object(only).deserialize(&mut deserializer(input, limits));
    match (found, result) {
        (Some(found), _) => Ok(found),
        (None, Err(error)) => Err(malformed(error)),
        (None, Ok(())) => Err(malformed(serde_json::Error::custom("there is no header"))),
    }
}

/// Puts what was read aside, and then fails: the rest is not for it to read.
struct Only<'a, T, V>(T, &'a mut Option<V>);

impl<'de, V, T: ReadObject<'de, Value = V>> ReadObject<'de> for Only<'_, T, V> {
    type Value = ();
    const WHAT: &'static str = T::WHAT;

    fn read<A: MapAccess<'de>>(self, fields: &mut Fields<A>) -> Result<(), A::Error> {
        *self.1 = Some(self.0.read(fields)?);
        Err(A::Error::custom("that is enough"))
    }
}

/// The version of the format must be ours.
pub(crate) fn read_version<'de, A: MapAccess<'de>>(
    fields: &mut Fields<A>,
    ours: u64,
) -> Result<(), A::Error> {
    let version: u64 = fields.next("version")?;
    match version == ours {
        true => Ok(()),
        false => Err(A::Error::custom(format!(
            "the file has version {version} of the format, not {ours}"
        ))),
    }
}

pub(crate) fn read_models<'de, A: MapAccess<'de>>(
    fields: &mut Fields<A>,
) -> Result<Vec<Model>, A::Error> {
    let models: Vec<ModelText> = fields.next("models")?;
    Ok(models.into_iter().map(Model::from).collect())
}

/// Reads the models, which must be ours.
pub(crate) fn read_same_models<'de, A: MapAccess<'de>>(
    fields: &mut Fields<A>,
    ours: &[Model],
) -> Result<(), A::Error> {
    let theirs = read_models(fields)?;
    same_models(ours, &theirs).map_err(A::Error::custom)
}

/// Takes so much of what a reader may still read.
pub(crate) fn spend<E: Error>(left: &mut u64, size: u64) -> Result<(), E> {
    let rest = left.checked_sub(size);
    *left = rest.ok_or_else(|| E::custom("the file is too large"))?;
    Ok(())
}

/// A list that was read must not be longer than that.
pub(crate) fn at_most<E: Error>(mut most: u64, count: usize) -> Result<(), E> {
    spend(&mut most, count as u64)
}

/// Hashes must be the same; names may differ.
pub(crate) fn same_models(ours: &[Model], theirs: &[Model]) -> Result<(), String> {
    let ours = ours.iter().map(|m| &m.sha256);
    match ours.eq(theirs.iter().map(|m| &m.sha256)) {
        true => Ok(()),
        false => Err("the evidence is about other model files than these".to_owned()),
    }
}

/// Writes what a file begins with: not all kinds name the system.
pub(crate) fn write_start(
    out: &mut impl Write,
    format: &str,
    version: u64,
    system: Option<&str>,
    models: &[Model],
) -> io::Result<()> {
    let models: Vec<ModelText> = models.iter().map(ModelText::from).collect();
    out.write_all(b"{\n")?;
    field(out, "format", format)?;
    field(out, "version", &version)?;
    if let Some(system) = system {
        field(out, "system", system)?;
    }
    field(out, "models", &models)
}

/// Writes what it ends with.
pub(crate) fn write_end(out: &mut impl Write) -> io::Result<()> {
    out.write_all(b"\n}\n")?;
    out.flush()
}
