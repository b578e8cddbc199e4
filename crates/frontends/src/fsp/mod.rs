//! FSP, the language of LTSA.
