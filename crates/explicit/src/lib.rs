//! Engines on concurrent programs: exhaustive search, and the way from a program to a network of
//! transition systems.
