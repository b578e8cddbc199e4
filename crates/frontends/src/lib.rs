//! Text to model, one folder a language.
