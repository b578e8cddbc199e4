//! What is done to the graphs before clauses are made of them.

pub(super) mod booleans;
pub(super) mod constants;
pub(super) mod effects;
pub(super) mod inline;
pub(super) mod liveness;
pub(super) mod order;
pub(super) mod overflow;
pub(super) mod ranges;
