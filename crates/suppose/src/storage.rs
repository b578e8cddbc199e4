//! Folders with searches that can be resumed.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use suppose_explore::Trouble;

use crate::failure::Failure;
use crate::options::StorageOptions;

const NAME: &str = "search.json";
const FORMAT: &str = "suppose search 1";

/// What a folder says of the search in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchRecord {
    format: String,
    version: String,
    /// Where the command was given.
    pub directory: PathBuf,
    /// The command line, without the name of the program.
    pub command: Vec<String>,
}

impl SearchRecord {
    /// Reads what a folder says.
    pub fn of(folder: &Path) -> Result<SearchRecord, Failure> {
        let shown = folder.display();
        let text = match fs::read_to_string(folder.join(NAME)) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                let failure = Failure::file(format!("there is no search in `{shown}`"));
                return Err(failure.help("`suppose check MODEL --disk DIR` begins one"));
            }
            Err(e) => return Err(Failure::file(format!("cannot read `{shown}/{NAME}`: {e}"))),
        };
        let wrong = || Failure::file(format!("`{shown}/{NAME}` is damaged"));
        let record: SearchRecord = serde_json::from_str(&text).map_err(|_| wrong())?;
        let version = env!("CARGO_PKG_VERSION");
        match record.format == FORMAT && record.version == version {
            true => Ok(record),
            false => {
                let why = format!(
                    "the search in `{shown}` is of another version of Suppose ({}, this is {version})",
                    record.version
                );
                Err(Failure::file(why)
                    .help("resume it with that version, or begin anew in another folder"))
            }
        }
    }
}

/// A folder that this run has for itself.
pub(crate) struct Storage {
    pub folder: PathBuf,
    _lock: File,
}

impl Storage {
    /// Takes the folder that options name, if they do.
    pub fn take(options: &StorageOptions) -> Result<Option<Storage>, Failure> {
        let Some(folder) = &options.disk else {
            return Ok(None);
        };
        let shown = folder.display();
        if options.resumes {
            SearchRecord::of(folder)?;
        }
        let lock = suppose_explore::take_folder(folder).map_err(failure)?;
        let storage = Storage {
            folder: folder.clone(),
            _lock: lock,
        };
        if options.resumes {
            return Ok(Some(storage));
        }
        if folder.join(NAME).exists() {
            let failure = Failure::file(format!("there is a search in `{shown}` already"));
            return Err(failure.help(format!(
                "`suppose resume {shown}` goes on with it; to begin anew, remove the folder"
            )));
        }
        let names = fs::read_dir(folder)
            .map_err(|e| Failure::file(format!("cannot read `{shown}`: {e}")))?;
        let mut others = names
            .flatten()
            .filter(|n| n.file_name() != suppose_explore::LOCK);
        if others.next().is_some() {
            let failure = Failure::file(format!("the folder `{shown}` is not empty"));
            return Err(
                failure.help("--disk needs a folder of its own; it is made if it is not there")
            );
        }
        storage.note(&options.command)?;
        Ok(Some(storage))
    }

    fn note(&self, command: &[String]) -> Result<(), Failure> {
        let directory = std::env::current_dir();
        let record = SearchRecord {
            format: FORMAT.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            directory: directory
                .map_err(|e| Failure::file(format!("there is no current folder: {e}")))?,
            command: command.to_vec(),
        };
        let text = serde_json::to_string_pretty(&record).map_err(Failure::internal)?;
        suppose_explore::replace(&self.folder, NAME, text.as_bytes()).map_err(failure)
    }
}

/// A folder that cannot be used.
pub(crate) fn failure(trouble: Trouble) -> Failure {
    match trouble {
        Trouble::Stopped(stopped) => Failure::limit(stopped),
        Trouble::Disk(why) | Trouble::Refused(why) | Trouble::Unsupported(why) => {
            Failure::file(why)
        }
    }
}
