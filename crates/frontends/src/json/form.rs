//! The shape of the file. Parts that can be wrong in ways JSON does not know are kept as text, so
//! that a diagnostic can point at them.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File<'a> {
    #[serde(borrow)]
    pub(super) format: &'a RawValue,
    #[serde(borrow)]
    pub(super) version: &'a RawValue,
    #[serde(borrow, default)]
    pub(super) name: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) labels: Vec<&'a RawValue>,
    #[serde(borrow)]
    pub(super) components: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) properties: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) priority: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) success: Option<&'a RawValue>,
}

/// The first look: is it our format at all?
#[derive(Deserialize)]
pub(super) struct Head<'a> {
    #[serde(borrow)]
    pub(super) format: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) version: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct System<'a> {
    #[serde(borrow)]
    pub(super) name: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) states: &'a RawValue,
    #[serde(borrow, default)]
    pub(super) initial: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) end: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) error: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) alphabet: Vec<&'a RawValue>,
    #[serde(borrow)]
    pub(super) edges: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) state_names: Vec<&'a RawValue>,
    #[serde(default)]
    pub(super) asserted: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PriorityForm<'a> {
    pub(super) low: bool,
    #[serde(borrow)]
    pub(super) labels: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HiddenForm<'a> {
    #[serde(borrow)]
    pub(super) name: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) hidden: Cow<'a, str>,
}

/// A label. Borrowed unless it has escapes.
#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct Text<'a> {
    #[serde(borrow)]
    pub(super) text: Cow<'a, str>,
}
