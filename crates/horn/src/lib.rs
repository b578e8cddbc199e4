//! Engines on Horn clauses.
