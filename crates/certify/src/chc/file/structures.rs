//! What names represent, in files: `["array", sort, default, [[index, element], ...]]` and
//! `["data", sort, constructor, fields]`.

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeSeq, Serializer};
use suppose_model::chc::Value;
use suppose_model::chc::theory::Structure;

use super::number::Fraction;
use super::read::ValueText;

/// A structure as it is written.
pub(super) struct StructureText(Structure);

impl From<&Structure> for StructureText {
    fn from(structure: &Structure) -> Self {
        StructureText(structure.clone())
    }
}

impl From<StructureText> for Structure {
    fn from(text: StructureText) -> Self {
        text.0
    }
}

impl Serialize for ValueText {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Value::Bool(truth) => truth.serialize(to),
            Value::Num(number) => Fraction(number.clone()).serialize(to),
        }
    }
}

fn texts(values: &[Value]) -> Vec<ValueText> {
    values.iter().cloned().map(ValueText).collect()
}

fn values(texts: Vec<ValueText>) -> Vec<Value> {
    texts.into_iter().map(|text| text.0).collect()
}

impl Serialize for StructureText {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut list = to.serialize_seq(Some(4))?;
        match &self.0 {
            Structure::Array {
                sort,
                default,
                entries,
            } => {
                let each = entries.iter().map(|(at, value)| (texts(at), texts(value)));
                let entries: Vec<(Vec<ValueText>, Vec<ValueText>)> = each.collect();
                list.serialize_element("array")?;
                list.serialize_element(sort)?;
                list.serialize_element(&texts(default))?;
                list.serialize_element(&entries)?;
            }
            Structure::Data {
                sort,
                constructor,
                fields,
            } => {
                list.serialize_element("data")?;
                list.serialize_element(sort)?;
                list.serialize_element(constructor)?;
                list.serialize_element(&texts(fields))?;
            }
        }
        list.end()
    }
}

impl<'de> Deserialize<'de> for StructureText {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_seq(Parts)
    }
}

struct Parts;

impl<'de> Visitor<'de> for Parts {
    type Value = StructureText;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an array or a value of a datatype")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<StructureText, A::Error> {
        let short = || A::Error::custom("the structure is too short");
        let kind: String = items.next_element()?.ok_or_else(short)?;
        let sort: u32 = items.next_element()?.ok_or_else(short)?;
        let made = match kind.as_str() {
            "array" => {
                let default: Vec<ValueText> = items.next_element()?.ok_or_else(short)?;
                let entries: Vec<(Vec<ValueText>, Vec<ValueText>)> =
                    items.next_element()?.ok_or_else(short)?;
                let each = entries.into_iter();
                Structure::Array {
                    sort,
                    default: values(default),
                    entries: each
                        .map(|(at, value)| (values(at), values(value)))
                        .collect(),
                }
            }
            "data" => Structure::Data {
                sort,
                constructor: items.next_element()?.ok_or_else(short)?,
                fields: values(items.next_element()?.ok_or_else(short)?),
            },
            _ => {
                let why = format!("`{kind}` is no kind of structure");
                return Err(A::Error::custom(why));
            }
        };
        if items.next_element::<serde::de::IgnoredAny>()?.is_some() {
            return Err(A::Error::custom("the structure is too long"));
        }
        Ok(StructureText(made))
    }
}
