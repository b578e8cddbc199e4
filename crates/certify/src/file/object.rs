//! Objects and lists that are read as they come, without a tree in between.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// Reads an object whose fields come in a fixed order.
pub(crate) trait ReadObject<'de>: Sized {
    type Value;
    const WHAT: &'static str;
    fn read<A: MapAccess<'de>>(self, fields: &mut Fields<A>) -> Result<Self::Value, A::Error>;
}

/// Reads a list.
pub(crate) trait ReadList<'de>: Sized {
    type Value;
    const WHAT: &'static str;
    fn read<A: SeqAccess<'de>>(self, items: A) -> Result<Self::Value, A::Error>;
}

/// The fields of an object that are still to come.
pub struct Fields<A> {
    map: A,
    /// The name of the next one, if it was read already.
    ahead: Option<String>,
}

impl<'de, A: MapAccess<'de>> Fields<A> {
    /// The next field, which must have that name.
    pub fn next<T: Deserialize<'de>>(&mut self, name: &'static str) -> Result<T, A::Error> {
        self.next_seed(name, PhantomData)
    }

    /// The same, deserialised by the given seed.
    pub fn next_seed<S: DeserializeSeed<'de>>(
        &mut self,
        name: &'static str,
        seed: S,
    ) -> Result<S::Value, A::Error> {
        let key = match self.ahead.take() {
            Some(ahead) => Key(Some(name)).visit_str(&ahead).map(Some)?,
            None => self.map.next_key_seed(Key(Some(name)))?,
        };
        match key {
            Some(()) => self.map.next_value_seed(seed),
            None => Err(A::Error::custom(format!("expected the field `{name}`"))),
        }
    }

    /// The next field, if it has that name.
    pub fn next_if<T: Deserialize<'de>>(
        &mut self,
        name: &'static str,
    ) -> Result<Option<T>, A::Error> {
        if self.ahead.is_none() {
            self.ahead = self.map.next_key()?;
        }
        match self.ahead.as_deref() == Some(name) {
            true => self.next(name).map(Some),
            false => Ok(None),
        }
    }

    fn end(&mut self) -> Result<(), A::Error> {
        match self.ahead.take() {
            Some(ahead) => Key(None).visit_str(&ahead),
            None => self.map.next_key_seed(Key(None)).map(|_| ()),
        }
    }
}

/// A field's name; none if there must not be one.
struct Key(Option<&'static str>);

impl<'de> DeserializeSeed<'de> for Key {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(name) => write!(f, "the field `{name}`"),
            None => f.write_str("no more fields"),
        }
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<(), E> {
        match self.0 {
            Some(name) if name == key => Ok(()),
            Some(name) => Err(E::custom(format!("expected the field `{name}`"))),
            None => Err(E::custom("unexpected field")),
        }
    }
}

/// Makes a seed of a [`ReadObject`].
pub(crate) struct Object<T>(pub T);

impl<'de, T: ReadObject<'de>> DeserializeSeed<'de> for Object<T> {
    type Value = T::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, T: ReadObject<'de>> Visitor<'de> for Object<T> {
    type Value = T::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::WHAT)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T::Value, A::Error> {
        let mut fields = Fields { map, ahead: None };
        let value = self.0.read(&mut fields)?;
        fields.end()?;
        Ok(value)
    }
}

/// Makes a seed of a [`ReadList`].
pub(crate) struct List<T>(pub T);

impl<'de, T: ReadList<'de>> DeserializeSeed<'de> for List<T> {
    type Value = T::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, T: ReadList<'de>> Visitor<'de> for List<T> {
    type Value = T::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::WHAT)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<T::Value, A::Error> {
        self.0.read(items)
    }
}
