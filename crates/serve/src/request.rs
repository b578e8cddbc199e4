//! What the page asks for, and what that means to the library.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use suppose::options::{
    ClaimOptions, EngineName, EngineOptions, ProbabilisticOptions, ProcessOptions,
};
use suppose::{AssumeOptions, CheckOptions, Failure, Limits, ModelOptions, RunOptions, Source};

use crate::App;

/// A file that is in the page.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Text {
    pub name: String,
    pub text: String,
}

/// A model, and how it is read.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Model {
    /// Its name, which tells the language.
    pub name: String,
    /// Its text, which need not be saved.
    pub text: String,
    /// It is a file of the folder, so that it can include others.
    #[serde(default)]
    pub stored: bool,
    /// Properties in a text of their own.
    #[serde(default)]
    pub properties: Option<Text>,
    /// The specification of a probabilistic system.
    #[serde(default)]
    pub spec: Option<Text>,
    /// Constants to set.
    #[serde(default)]
    pub set: Vec<(String, i64)>,
}

/// What is to be decided.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Question {
    /// Only these claims; all if there are none.
    #[serde(default)]
    pub claims: Vec<String>,
    /// Freedom from deadlock alone.
    #[serde(default)]
    pub deadlock: bool,
    /// The engine, if not `auto`.
    #[serde(default)]
    pub engine: Option<String>,
    /// What is required of these components.
    #[serde(default)]
    pub components: Vec<String>,
    /// How the system is split.
    #[serde(default)]
    pub split: Option<String>,
    /// A limit, below that of the server.
    #[serde(default)]
    pub seconds: Option<f64>,
}

/// Names become parts of messages and of evidence.
const LONGEST_NAME: usize = 300;

impl Model {
    /// The text as the library reads it, with nothing on the disk in reach but what the folder offers beside it.
    pub fn source(&self, app: &App) -> Result<Source, Failure> {
        let mut source = Source::text(named(&self.name)?, self.text.as_str());
        let mut given = vec![self.name.clone()];
        for more in [&self.properties, &self.spec].into_iter().flatten() {
            source = source.with(named(&more.name)?, more.text.as_str());
            given.push(more.name.clone());
        }
        if self.stored {
            let folder = self.name.rsplit_once('/').map_or("", |(folder, _)| folder);
            for name in app.folder.neighbours(&self.name) {
                let whole = PathBuf::from(folder).join(&name);
                let is_new = given.iter().all(|g| Path::new(g) != whole);
                // Files of transitions have files of labels and rewards beside them, which they do not name.
                let stem = |n: &str| n.rsplit_once('.').map(|(s, _)| s.to_owned());
                let own = self.name.rsplit('/').next().unwrap_or("");
                let goes_with = self.text.contains(&name) || stem(&name) == stem(own);
                if is_new
                    && goes_with
                    && let Some(bytes) = app.folder.beside(&self.name, &name)
                {
                    source = source.with(whole, bytes);
                }
            }
        }
        Ok(source.sealed())
    }

    /// How it is read.
    pub fn options(&self) -> ModelOptions {
        ModelOptions {
            property_file: self
                .properties
                .iter()
                .map(|t| t.name.clone().into())
                .collect(),
            constants: self.set.clone(),
            markov: ProbabilisticOptions {
                spec: self.spec.as_ref().map(|t| t.name.clone().into()),
                ..ProbabilisticOptions::default()
            },
            ..ModelOptions::default()
        }
    }
}

/// A name that is no path to somewhere else.
fn named(name: &str) -> Result<PathBuf, Failure> {
    let is_odd = name.chars().any(char::is_control) || name.starts_with('/') || name == "-";
    let is_up = name.split('/').any(|part| part == "..");
    match name.is_empty() || name.len() > LONGEST_NAME || is_odd || is_up {
        true => Err(Failure::usage("this is not a name for a model")),
        false => Ok(PathBuf::from(name)),
    }
}

impl Question {
    /// The limits of the server, or less.
    pub fn limits(&self, most: Limits) -> Limits {
        let asked = self.seconds.filter(|s| s.is_finite() && *s > 0.0);
        let asked = asked.map(|s| Duration::from_secs_f64(s.min(1e6)));
        let timeout = match (asked, most.timeout) {
            (Some(asked), Some(most)) => Some(asked.min(most)),
            (asked, most) => asked.or(most),
        };
        Limits { timeout, ..most }
    }

    fn engine(&self) -> Result<EngineName, Failure> {
        let Some(name) = &self.engine else {
            return Ok(EngineName::AUTO);
        };
        EngineName::named(name)
            .ok_or_else(|| Failure::usage(format!("there is no engine `{name}`")))
    }

    fn run(&self, most: Limits) -> RunOptions {
        RunOptions {
            limits: self.limits(most),
            ..RunOptions::default()
        }
    }

    /// For `check`; the evidence goes to a file.
    pub fn check(
        &self,
        model: &Model,
        most: Limits,
        certificate: Option<PathBuf>,
    ) -> Result<CheckOptions, Failure> {
        let mut engine = EngineOptions {
            engine: self.engine()?,
            process: ProcessOptions {
                components: self.components.clone(),
                ..ProcessOptions::default()
            },
            ..EngineOptions::default()
        };
        if let Some(split) = &self.split {
            engine.rule.split.clone_from(split);
        }
        Ok(CheckOptions {
            model: model.options(),
            claims: ClaimOptions {
                properties: self.claims.clone(),
                deadlock: self.deadlock,
                no_deadlock: false,
            },
            engine,
            run: self.run(most),
            certificate,
            full: true,
            ..CheckOptions::default()
        })
    }

    /// For `assume`.
    pub fn assume(&self, model: &Model, most: Limits) -> Result<AssumeOptions, Failure> {
        let mut options = AssumeOptions {
            model: model.options(),
            properties: self.claims.clone(),
            engine: self.engine()?,
            process: ProcessOptions {
                components: self.components.clone(),
                ..ProcessOptions::default()
            },
            run: self.run(most),
            ..AssumeOptions::default()
        };
        if let Some(split) = &self.split {
            options.rule.split.clone_from(split);
        }
        Ok(options)
    }
}
