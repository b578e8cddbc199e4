//! Options on probabilistic systems.

use std::path::PathBuf;
use std::str::FromStr;

use serde::Serialize;

/// How probabilistic systems are read.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(
    feature = "clap",
    derive(clap::Args),
    command(next_help_heading = "Probabilistic systems")
)]
pub struct ProbabilisticOptions {
    /// The specification that the system should conform to: PRISM language, .tra, .drn, .json or .lpts
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub spec: Option<PathBuf>,

    /// Values of undefined constants: N=3,p=1/4 (repeatable)
    #[cfg_attr(feature = "clap", arg(long = "const", value_name = "NAME=VALUE,..."))]
    pub given_constants: Vec<Constants>,

    /// Modules that form one component: a,b (repeatable)
    #[cfg_attr(feature = "clap", arg(long = "group", value_name = "MODULE,..."))]
    pub groups: Vec<String>,

    /// How modules that read variables of others are handled
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub reads: Option<ReadsName>,

    /// A file with the alphabet of each component, instead of the actions it mentions
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub acts: Option<PathBuf>,

    /// Actions that the specification does not mention
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub unmentioned: Option<UnmentionedName>,
}

impl ProbabilisticOptions {
    /// The constants, one by one.
    pub fn pairs(&self) -> Vec<(String, String)> {
        self.given_constants
            .iter()
            .flat_map(|c| c.0.clone())
            .collect()
    }
}

/// Constants of one option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Constants(pub Vec<(String, String)>);

impl FromStr for Constants {
    type Err = String;

    /// As in `N=3,p=1/4`.
    fn from_str(text: &str) -> Result<Self, String> {
        let one = |part: &str| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let (name, value) = (name.trim(), value.trim());
            match name.is_empty() || value.is_empty() {
                true => Err("write NAME=VALUE, as in N=3 or p=1/4".to_owned()),
                false => Ok((name.to_owned(), value.to_owned())),
            }
        };
        let all: Result<Vec<_>, String> = text.split(',').map(one).collect();
        all.map(Constants)
    }
}

/// How modules that read variables of others are handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum ReadsName {
    /// They form one component with the modules they read.
    Group,
    /// They read by synchronising with the modules they read.
    Synchronise,
}

/// What a specification says of actions that it does not mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum UnmentionedName {
    /// They are forbidden (the default).
    Forbidden,
    /// They are allowed at any time and do not change its state.
    Free,
}

/// What a learned assumption is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum PartitionName {
    /// Classes of states.
    State,
    /// Distributions over classes.
    Stochastic,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_names_with_values() {
        let pair = |n: &str, v: &str| (n.to_owned(), v.to_owned());
        let both = vec![pair("N", "3"), pair("p", "1/4")];
        assert_eq!(Constants::from_str("N=3, p = 1/4"), Ok(Constants(both)));
        for bad in ["", "N", "=3", "N=", "N=3,", "N=3,p"] {
            assert!(Constants::from_str(bad).is_err(), "{bad}");
        }
    }
}
