//! From files to probabilistic systems.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use suppose_certify::file::Model;
use suppose_control::{Control, Stopped};
use suppose_frontends::Undecided;
use suppose_frontends::prism::{self, Exploration, Grouping, Properties, Reads};
use suppose_model::lts::{Label, Labels, SizeLimits};
use suppose_model::mdp::{Lpts, Property, Sizes, System};
use suppose_source::{Diagnostic, FileId, ParserLimits, SourceFile, Sources};

use super::form::{Form, form, form_of};
use super::states::{rebuilt, stem};
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::options::{ModelOptions, ProbabilisticOptions, ReadsName, UnmentionedName};
use crate::session::Session;
use crate::source::Source;

/// A system, and warnings about it.
#[derive(Debug)]
pub struct MarkovSystem {
    /// The system.
    pub system: System,
    /// What it should conform to.
    pub specification: Option<Lpts>,
    /// Its properties.
    pub properties: Vec<Property>,
    /// Properties that no engine decides.
    pub undecided: Vec<Undecided>,
    /// How large the composition is, if it was counted.
    pub sizes: Option<Sizes>,
    /// The files.
    pub sources: Sources,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
    /// Other remarks for the user.
    pub notes: Vec<String>,
    /// Names and hashes of the files.
    pub models: Vec<Model>,
}

/// Into which components a PRISM model is decomposed.
#[derive(Clone, Debug)]
pub enum Parting {
    /// As the options say.
    Usual,
    /// All modules in one, unless a property could be decided by assumptions about components.
    OneIfWhole,
    /// As these names say: modules joined by `+`.
    As(Vec<String>),
}

/// Reads a system, its specification, and the properties asked for: by their text, or by their name in a property file.
/// `claims` says whether all properties of the files are meant if none is asked for, and sizes if nothing is.
pub fn read(
    source: &Source,
    model: &ModelOptions,
    properties: &[String],
    claims: bool,
    parting: Parting,
    session: &Session,
) -> Result<MarkovSystem, Failure> {
    Reader::new(source, model, session).read(properties, claims, parting)
}

/// Reads a system as one component, with all labels of the model.
pub fn read_whole(
    source: &Source,
    model: &ModelOptions,
    session: &Session,
) -> Result<MarkovSystem, Failure> {
    let mut reader = Reader::new(source, model, session);
    let Some(file) = source.only() else {
        return reader.read(&[], false, Parting::Usual);
    };
    if reader.form(file) != Some(Form::Prism) {
        return reader.read(&[], false, Parting::Usual);
    }
    let options = reader.options();
    let model = reader.prism(file, &options)?;
    let labels = model.labels();
    let asked: Vec<String> = labels
        .iter()
        .map(|l| format!("P<=1 [ F \"{l}\" ]"))
        .collect();
    let asked = reader.properties(&model, &options, &[], &asked)?;
    let stop = || reader.control.stopped().is_some();
    let how = Exploration {
        limits: SizeLimits::default(),
        stop: &stop,
    };
    let one = Grouping {
        one: true,
        ..Grouping::default()
    };
    let lowered = model.system(&one, &asked, Labels::new(), &how);
    let lowered = lowered.map_err(|f| reader.failed(f))?;
    Ok(MarkovSystem {
        system: lowered.system,
        specification: None,
        properties: Vec::new(),
        undecided: Vec::new(),
        sizes: None,
        sources: reader.sources,
        warnings: reader.warnings,
        notes: reader.notes,
        models: reader.models,
    })
}

/// Reads files and collects warnings.
pub struct Reader<'a> {
    pub source: &'a Source,
    pub args: &'a ProbabilisticOptions,
    pub model: &'a ModelOptions,
    pub sources: Sources,
    pub models: Vec<Model>,
    pub warnings: Vec<Diagnostic>,
    pub notes: Vec<String>,
    control: Arc<Control>,
}

impl<'a> Reader<'a> {
    fn new(source: &'a Source, model: &'a ModelOptions, session: &Session) -> Self {
        Reader {
            source,
            args: &model.markov,
            model,
            sources: Sources::new(),
            models: Vec::new(),
            warnings: Vec::new(),
            notes: Vec::new(),
            control: session.watch.fresh(),
        }
    }

    /// The form of a file of the model itself: the one asked for, or its own.
    pub(super) fn form(&self, file: &Path) -> Option<Form> {
        form_of(self.source.language_of(file, self.model.language).ok()?)
    }

    fn read(
        mut self,
        properties: &[String],
        claims: bool,
        parting: Parting,
    ) -> Result<MarkovSystem, Failure> {
        let explicit = |f: &PathBuf| matches!(self.form(f), Some(Form::Explicit(_)));
        if self.source.paths().iter().all(explicit) {
            return self.read_states(properties);
        }
        let Some(file) = self.source.only() else {
            let failure =
                Failure::file("a probabilistic system in the language of PRISM is one file");
            return Err(failure.help("its modules are the components"));
        };
        let files = &self.model.property_file;
        let options = self.options();
        let model = self.prism(file, &options)?;
        let asked = self.properties(&model, &options, files, properties)?;
        let mut labels = Labels::new();
        let specification = match &self.args.spec {
            None => None,
            Some(path) => Some(self.specification(path, &options, &mut labels)?),
        };
        let mut grouping = self.grouping()?;
        match parting {
            Parting::Usual => {}
            Parting::OneIfWhole => grouping.one_if_whole = true,
            Parting::As(names) => {
                let modules = |name: &String| name.split('+').map(str::to_owned).collect();
                grouping.one = names.len() == 1;
                grouping.groups = names.iter().map(modules).collect();
            }
        }
        let stop = || self.control.stopped().is_some();
        let how = Exploration {
            limits: SizeLimits::default(),
            stop: &stop,
        };
        if specification.is_some() {
            model.single_initial(&how).map_err(|f| self.failed(f))?;
        }
        let lowered = model.system(&grouping, &asked, labels, &how);
        let lowered = lowered.map_err(|f| self.failed(f))?;
        let nothing = asked.names().is_empty() && asked.undecided.is_empty();
        let plain = claims && specification.is_none() && nothing;
        // If a component has an error by itself, it must be shown that the whole model has none.
        let sizes = match plain || !lowered.blocked.is_empty() {
            true => Some(model.count(&how).map_err(|f| self.failed(f))?),
            false => None,
        };
        self.known_constants(&options)?;
        self.warnings.extend(model.warnings().iter().cloned());
        let apart = |note: &String| note.contains("are one component") && note.contains(" reads ");
        if self.args.reads.is_none() && lowered.notes.iter().any(apart) {
            let hint = "--reads synchronise keeps apart modules that read each other's variables";
            self.notes.push(hint.to_owned());
        }
        self.notes.extend(lowered.notes);
        let specification = specification.map(|s| self.unmentioned(s, &lowered.system));
        Ok(MarkovSystem {
            system: lowered.system,
            specification,
            properties: lowered.properties,
            undecided: asked.undecided,
            sizes: sizes.map(|c| Sizes {
                states: c.states as u64,
                choices: c.choices as u64,
                transitions: c.transitions as u64,
                deadlocks: c.deadlocks as u64,
            }),
            sources: self.sources,
            warnings: self.warnings,
            notes: self.notes,
            models: self.models,
        })
    }

    fn options(&self) -> prism::PrismOptions {
        let mut constants = self.args.pairs();
        let set = self.model.constants.iter();
        constants.extend(set.map(|(name, value)| (name.clone(), value.to_string())));
        prism::PrismOptions {
            constants,
            unknown_constants: self.args.spec.is_some() || !self.model.property_file.is_empty(),
            limits: ParserLimits::default(),
        }
    }

    /// Reads a file and records it.
    pub fn text(&mut self, path: &Path) -> Result<FileId, Failure> {
        let (text, model) = self
            .source
            .read_model(path, ParserLimits::default().bytes)?;
        let name = model.file.clone();
        self.models.push(model);
        Ok(self.sources.add(SourceFile::new(name, text)))
    }

    fn prism(
        &mut self,
        path: &Path,
        options: &prism::PrismOptions,
    ) -> Result<prism::PrismModel, Failure> {
        let id = self.text(path)?;
        prism::read(id, &self.sources, options).map_err(|d| self.invalid(d))
    }

    pub fn specification(
        &mut self,
        path: &Path,
        options: &prism::PrismOptions,
        labels: &mut Labels,
    ) -> Result<Lpts, Failure> {
        if let Some(Form::Explicit(format)) = form(self.source, path) {
            let found = self.states(path, format, labels)?;
            return Ok(rebuilt(&found.lpts, &[], None).renamed(stem(path)));
        }
        let model = self.prism(path, options)?;
        let stop = || self.control.stopped().is_some();
        let how = Exploration {
            limits: SizeLimits::default(),
            stop: &stop,
        };
        let whole = model.whole(labels, &how).map_err(|f| self.failed(f))?;
        self.warnings.extend(model.warnings().iter().cloned());
        Ok(whole.lpts)
    }

    /// The properties asked for: by name if a file has one of that name, else by their text. All of the files, if none is.
    fn properties(
        &mut self,
        model: &prism::PrismModel,
        options: &prism::PrismOptions,
        files: &[PathBuf],
        wanted: &[String],
    ) -> Result<Properties, Failure> {
        let mut all = Properties::default();
        let read = |reader: &Self, id| {
            let (constants, limits) = (&options.constants, &options.limits);
            let found = model.properties(id, &reader.sources, constants, limits);
            found.map_err(|d| reader.invalid(d))
        };
        for file in files {
            let id = self.text(file)?;
            all.append(read(self, id)?);
        }
        if wanted.is_empty() {
            return Ok(all);
        }
        all.retain(|name| wanted.iter().any(|w| w == name));
        for (number, text) in wanted.iter().enumerate() {
            let undecided = all.undecided.iter().any(|u| u.name == *text);
            if undecided || all.names().iter().any(|name| name == text) {
                continue;
            }
            let name = format!("--property {}", number + 1);
            let id = self.sources.add(SourceFile::new(name, text.clone()));
            all.append(read(self, id)?);
        }
        Ok(all)
    }

    /// A constant that no file mentions is a mistake.
    fn known_constants(&self, options: &prism::PrismOptions) -> Result<(), Failure> {
        let mentioned = |name: &String| {
            let mut files = (0..).map_while(|number| self.sources.file(FileId(number)));
            files.any(|file| {
                let mut words = file
                    .text()
                    .split(|c: char| !c.is_alphanumeric() && c != '_');
                words.any(|word| word == name)
            })
        };
        match options.constants.iter().find(|(name, _)| !mentioned(name)) {
            Some((name, _)) => {
                let all = constants(&self.sources);
                let all = all.iter().map(String::as_str);
                Err(Failure::unknown_name(
                    "constant",
                    "the constants",
                    name,
                    all,
                ))
            }
            None => Ok(()),
        }
    }

    fn grouping(&mut self) -> Result<Grouping, Failure> {
        let names = |text: &String| -> Vec<String> {
            text.split(',').map(|n| n.trim().to_owned()).collect()
        };
        let reads = match self.args.reads {
            Some(ReadsName::Synchronise) => Reads::Synchronise,
            Some(ReadsName::Group) | None => Reads::Group,
        };
        Ok(Grouping {
            one: false,
            one_if_whole: false,
            groups: self.args.groups.iter().map(names).collect(),
            reads,
            actions: match &self.args.acts {
                Some(path) => self.acts(path)?,
                None => Vec::new(),
            },
        })
    }

    fn acts(&mut self, path: &Path) -> Result<Vec<(String, Vec<String>)>, Failure> {
        let id = self.text(path)?;
        prism::read_acts(id, &self.sources).map_err(|d| self.invalid(d))
    }

    pub fn invalid(&self, diagnostics: Vec<Diagnostic>) -> Failure {
        Failure {
            status: ExitStatus::Input,
            sources: self.sources.clone(),
            diagnostics,
        }
    }

    fn failed(&self, failure: prism::ExplorationError) -> Failure {
        match failure {
            prism::ExplorationError::Invalid(diagnostics) => self.invalid(diagnostics),
            prism::ExplorationError::TooLarge(why) => {
                let mut failure = Failure::file(why);
                failure.status = ExitStatus::Limit;
                failure
            }
            prism::ExplorationError::Stopped => {
                Failure::limit(self.control.stopped().unwrap_or(Stopped::Timeout))
            }
        }
    }

    /// Actions of the system that the specification does not mention: forbidden, or free.
    pub fn unmentioned(&mut self, specification: Lpts, system: &System) -> Lpts {
        let missing = missing(&specification, system);
        if missing.is_empty() {
            return specification;
        }
        if self.args.unmentioned == Some(UnmentionedName::Free) {
            return rebuilt(&specification, &missing, Some(0));
        }
        if self.args.unmentioned.is_none() {
            let names: Vec<String> = missing.iter().map(|l| system.labels.display(*l)).collect();
            let (what, they) = match names.len() {
                1 => ("the action", "it is"),
                _ => ("the actions", "they are"),
            };
            self.notes.push(format!(
                "the specification does not mention {what} {}: {they} forbidden (--unmentioned free allows {})",
                names.join(", "),
                if names.len() == 1 { "it" } else { "them" }
            ));
        }
        specification
    }
}

/// The constants that the files declare.
fn constants(sources: &Sources) -> Vec<String> {
    let mut all = Vec::new();
    for file in (0..).map_while(|number| sources.file(FileId(number))) {
        let words = file
            .text()
            .split(|c: char| !c.is_alphanumeric() && c != '_');
        let words: Vec<&str> = words.filter(|w| !w.is_empty()).collect();
        for (at, _) in words.iter().enumerate().filter(|(_, w)| **w == "const") {
            let name = words[at + 1..]
                .iter()
                .find(|w| !matches!(**w, "int" | "double" | "bool"));
            all.extend(name.map(|w| (*w).to_owned()));
        }
    }
    all.sort();
    all.dedup();
    all
}

/// Observable actions of the system that the specification never does.
fn missing(specification: &Lpts, system: &System) -> Vec<Label> {
    let mut seen: Vec<Label> = Vec::new();
    for component in &system.components {
        let labels = component.lpts.all_choices().iter().map(|c| c.label);
        seen.extend(labels.map(|l| system.observe(l)));
        seen.sort_unstable();
        seen.dedup();
    }
    let done = |l: &Label| specification.all_choices().iter().any(|c| c.label == *l);
    seen.retain(|l| !specification.knows(*l) && !done(l));
    seen
}
