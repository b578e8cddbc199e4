//! The name that was probably meant.

pub(crate) use suppose_source::nearest;
