//! The two forms of probabilistic systems.

use std::path::Path;

use suppose_frontends::{Language, lpts};

use crate::source::{Source, name};

/// The forms of a probabilistic system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// In the language of PRISM.
    Prism,
    /// State by state.
    Explicit(lpts::Format),
}

/// The form of a file, by its name, and where that is not enough by how it begins.
pub fn form(source: &Source, path: &Path) -> Option<Form> {
    let language = Language::detect(&name(path), &source.beginning(path))?;
    form_of(language)
}

/// The form that a language is.
pub fn form_of(language: Language) -> Option<Form> {
    match language {
        Language::Prism => Some(Form::Prism),
        Language::Tra => Some(Form::Explicit(lpts::Format::Tra)),
        Language::Drn => Some(Form::Explicit(lpts::Format::Drn)),
        Language::Lpts => Some(Form::Explicit(lpts::Format::Text)),
        Language::LptsJson => Some(Form::Explicit(lpts::Format::Json)),
        _ => None,
    }
}
