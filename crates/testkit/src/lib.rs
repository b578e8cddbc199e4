//! Shared test material: random models, exhaustive small ones, and the naive oracle of every fast algorithm.
