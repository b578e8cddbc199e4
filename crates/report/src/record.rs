//! JSON values whose fields keep their order.

use serde::{Serialize, Serializer};

/// A JSON value. The fields of an object stay in the order in which they are given.
pub(crate) enum Json {
    Null,
    Bool(bool),
    Int(u64),
    Float(f64),
    Text(String),
    List(Vec<Json>),
    Object(Fields),
}

/// Names and values of an object.
pub(crate) type Fields = Vec<(&'static str, Json)>;

/// The fields of an object: `fields! { "length": steps.len(), "ending": text }`.
macro_rules! fields {
    ($($name:literal: $value:expr),* $(,)?) => {
        vec![$(($name, $crate::record::Json::from($value))),*]
    };
}

/// The same as a value.
macro_rules! object {
    ($($name:literal: $value:expr),* $(,)?) => {
        $crate::record::Json::Object($crate::record::fields! { $($name: $value),* })
    };
}
pub(crate) use {fields, object};

macro_rules! from {
    ($($type:ty => $make:expr),* $(,)?) => {
        $(impl From<$type> for Json {
            fn from(value: $type) -> Json {
                let make: fn($type) -> Json = $make;
                make(value)
            }
        })*
    };
}

from! {
    bool => Json::Bool,
    u64 => Json::Int,
    u32 => |n| Json::Int(n.into()),
    usize => |n| Json::Int(n as u64),
    f64 => Json::Float,
    String => Json::Text,
    &str => |text| Json::Text(text.to_owned()),
    &String => |text| Json::Text(text.clone()),
}

impl<T: Into<Json>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Json {
        value.map_or(Json::Null, Into::into)
    }
}

impl<T: Into<Json>> From<Vec<T>> for Json {
    fn from(values: Vec<T>) -> Json {
        Json::list(values)
    }
}

impl Json {
    /// A list of what can be made a value.
    pub fn list<T: Into<Json>>(values: impl IntoIterator<Item = T>) -> Json {
        Json::List(values.into_iter().map(Into::into).collect())
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Json::Null => serializer.serialize_none(),
            Json::Bool(value) => serializer.serialize_bool(*value),
            Json::Int(value) => serializer.serialize_u64(*value),
            Json::Float(value) => serializer.serialize_f64(*value),
            Json::Text(value) => serializer.serialize_str(value),
            Json::List(values) => serializer.collect_seq(values),
            Json::Object(fields) => {
                serializer.collect_map(fields.iter().map(|(name, value)| (name, value)))
            }
        }
    }
}
