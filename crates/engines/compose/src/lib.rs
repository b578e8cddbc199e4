//! Engines on networks of labelled transition systems.
//!
//! [`monolithic`] explores the whole composition for one claim, [`joint`] for several. [`agar`] and [`learn`] reason by assumption and
//! guarantee over a sequence of groups of components, which [`decompose`] proposes. All explore with
//! [`explore`] what [`product`] compiled. [`portfolio`] lists the engines and runs them by name, or all of them in turns.

pub mod agar;
pub mod decompose;
pub mod explore;
mod forecast;
pub mod joint;
pub mod learn;
pub mod monolithic;
pub mod portfolio;
pub mod product;
pub mod quotient;
