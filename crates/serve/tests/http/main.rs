//! The workbench over HTTP: what it does for its page, and what it refuses to everybody else.

#![allow(clippy::unwrap_used)]

mod attacks;
mod client;
mod files;
mod jobs;
