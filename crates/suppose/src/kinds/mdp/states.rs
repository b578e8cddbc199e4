//! Systems that are written state by state.

use std::path::{Path, PathBuf};

use suppose_frontends::{Undecided, lpts, prism};
use suppose_model::lts::{Label, Labels, State};
use suppose_model::mdp::{Component, Lpts, LptsBuilder, Property, Proposition, System};
use suppose_source::{ParserLimits, SourceFile};

use super::form::Form;
use super::read::{MarkovSystem, Reader};
use crate::failure::Failure;

impl Reader<'_> {
    /// Components that are written state by state, one a file.
    pub(super) fn read_states(mut self, properties: &[String]) -> Result<MarkovSystem, Failure> {
        let mut system = System::new(
            self.source
                .paths()
                .first()
                .map_or(String::new(), |f| stem(f)),
            Labels::new(),
        );
        let mut labels = Labels::new();
        for (number, path) in self.source.paths().iter().enumerate() {
            let Some(Form::Explicit(format)) = self.form(path) else {
                continue;
            };
            let found = self.states(path, format, &mut labels)?;
            let offset = system.propositions.len() as u32;
            let named = |name: String| Proposition {
                name,
                component: number,
            };
            system
                .propositions
                .extend(found.propositions.into_iter().map(named));
            let name = stem(path);
            // Rewards belong to a whole system: with several files they cannot be asked for.
            let lpts = match self.source.paths().len() {
                1 => {
                    system.rewards = found.rewards;
                    found.lpts
                }
                _ => rebuilt(&found.lpts, &[], Some(offset)),
            };
            system.components.push(Component {
                lpts: lpts.renamed(name.clone()),
                members: vec![name],
            });
        }
        let options = prism::PrismOptions::default();
        let specification = match &self.args.spec {
            None => None,
            Some(path) => Some(self.specification(path, &options, &mut labels)?),
        };
        system.labels = labels;
        let (system, asked, undecided) =
            self.asked_of_states(system, &self.model.property_file, properties)?;
        let specification = specification.map(|s| self.unmentioned(s, &system));
        Ok(MarkovSystem {
            system,
            specification,
            properties: asked,
            undecided,
            sizes: None,
            sources: self.sources,
            warnings: self.warnings,
            notes: self.notes,
            models: self.models,
        })
    }

    /// The properties asked for, of one component: they are about its labels.
    fn asked_of_states(
        &mut self,
        system: System,
        files: &[PathBuf],
        wanted: &[String],
    ) -> Result<(System, Vec<Property>, Vec<Undecided>), Failure> {
        if files.is_empty() && wanted.is_empty() {
            return Ok((system, Vec::new(), Vec::new()));
        }
        let [component] = &system.components[..] else {
            let message = "properties of explicit-state systems need a single file";
            return Err(Failure::usage(message));
        };
        let explicit = || lpts::Explicit {
            lpts: component.lpts.clone(),
            propositions: system.propositions.iter().map(|p| p.name.clone()).collect(),
            rewards: system.rewards.clone(),
            warnings: Vec::new(),
        };
        let mut text = String::new();
        for file in files {
            let id = self.text(file)?;
            text += self.sources.file(id).map_or("", |f| f.text());
            text.push('\n');
        }
        let read = |reader: &mut Self, text: &str| {
            let id = reader.sources.add(SourceFile::new("properties", text));
            let (labels, limits) = (system.labels.clone(), ParserLimits::default());
            let found =
                lpts::with_properties(explicit(), labels, Some(id), &reader.sources, &[], &limits);
            found.map_err(|d| reader.invalid(d))
        };
        let mut known: Vec<String> = Vec::new();
        if !files.is_empty() {
            let (found, asked, undecided) = read(self, &text)?;
            if wanted.is_empty() {
                return Ok((found, asked, undecided));
            }
            known.extend(asked.into_iter().map(|p| p.name));
            known.extend(undecided.into_iter().map(|u| u.name));
        }
        for formula in wanted.iter().filter(|w| !known.contains(w)) {
            text += formula;
            text += ";\n";
        }
        let (found, mut asked, mut undecided) = read(self, &text)?;
        asked.retain(|p| !known.contains(&p.name) || wanted.contains(&p.name));
        undecided.retain(|u| !known.contains(&u.name) || wanted.contains(&u.name));
        Ok((found, asked, undecided))
    }

    /// One system of states, with the files beside it that belong to it.
    pub(super) fn states(
        &mut self,
        path: &Path,
        format: lpts::Format,
        labels: &mut Labels,
    ) -> Result<lpts::Explicit, Failure> {
        let mut files = lpts::Files::one(self.text(path)?);
        if format == lpts::Format::Tra {
            for (end, slot) in [("sta", &mut files.states), ("lab", &mut files.labels)] {
                let beside = path.with_extension(end);
                if self.source.has(&beside) {
                    *slot = Some(self.text(&beside)?);
                }
            }
        }
        let limits = ParserLimits::default();
        let found = lpts::read(format, files, &self.sources, labels, &limits);
        let found = found.map_err(|d| self.invalid(d))?;
        self.warnings.extend(found.warnings.iter().cloned());
        Ok(found)
    }
}

/// The same with self-loops for these actions in every state, and with its propositions renumbered or dropped.
pub fn rebuilt(lpts: &Lpts, loops: &[Label], propositions: Option<u32>) -> Lpts {
    let mut builder = LptsBuilder::of(lpts);
    for state in 0..lpts.states() as State {
        for label in loops {
            builder.edge(state, *label, state);
        }
    }
    if let Some(offset) = propositions {
        for (number, truth) in lpts.propositions() {
            builder.proposition(*number + offset, truth.clone());
        }
    }
    builder.build()
}

/// The file's name without folders and ending.
pub fn stem(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
