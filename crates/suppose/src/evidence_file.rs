//! The file of `--certificate`: the evidence about all claims of a run.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use suppose_certify::file::sections::{
    NoEvidence, Section, sections, write_begin, write_between, write_end,
};
use suppose_certify::file::{Malformed, ReadLimits};

use crate::failure::Failure;
use crate::files::Pending;
use crate::session::Session;

/// The most that is read from a pipe.
const PIPED: u64 = 1 << 30;

/// The evidence of a run. The file appears when all claims are decided.
pub struct EvidenceFile<'a> {
    session: &'a Session,
    path: Option<PathBuf>,
    file: Option<Pending>,
    /// Several claims: the file is a list of documents.
    several: bool,
    /// Documents so far.
    documents: usize,
    /// How many of them are evidence.
    evidence: usize,
    /// Claims without evidence that the user should know of, with the reason.
    lacking: Vec<(String, String)>,
}

impl<'a> EvidenceFile<'a> {
    /// For the claims of a run, if the command line asks for it.
    pub fn new(path: Option<&PathBuf>, several: bool, session: &'a Session) -> Self {
        let mut it = EvidenceFile {
            session,
            path: path.cloned(),
            file: None,
            several,
            documents: 0,
            evidence: 0,
            lacking: Vec::new(),
        };
        if let Some(path) = path {
            match session.files.begin(path) {
                Ok(file) => it.file = Some(file),
                Err(failure) => session.written(Err(failure)),
            }
        }
        it
    }

    /// Was it asked for?
    pub fn is_wanted(&self) -> bool {
        self.file.is_some()
    }

    /// Adds the evidence about a claim. Returns where it is.
    pub fn add(&mut self, write: impl FnOnce(&mut Pending) -> io::Result<()>) -> Option<String> {
        self.document(write)?;
        self.evidence += 1;
        let path = self.path.as_deref()?;
        Some(path.display().to_string())
    }

    /// There is no evidence about a claim, for this reason.
    pub fn without(&mut self, claim: &str, reason: &str) {
        if self.several && self.is_wanted() {
            let none = NoEvidence::new(claim, reason);
            self.document(|out| none.write(out));
        }
    }

    /// The user should know that there is no evidence about a claim.
    pub fn lacks(&mut self, claim: &str, reason: &str) {
        if self.is_wanted() {
            self.lacking.push((claim.to_owned(), reason.to_owned()));
        }
    }

    /// What is missing, each reason once.
    fn tell_lacking(&mut self) {
        let lacking = std::mem::take(&mut self.lacking);
        let mut lines: Vec<(String, String)> = Vec::new();
        for (claim, why) in lacking {
            match lines.iter_mut().find(|(_, w)| *w == why) {
                Some((claims, _)) => *claims = format!("{claims}, {claim}"),
                None => lines.push((claim, why)),
            }
        }
        let lines = lines
            .into_iter()
            .map(|(claims, why)| format!("{claims}: {why}"));
        self.session.warn(lines);
    }

    fn document(&mut self, write: impl FnOnce(&mut Pending) -> io::Result<()>) -> Option<()> {
        let file = self.file.as_mut()?;
        let written = match (self.several, self.documents) {
            (false, _) => Ok(()),
            (true, 0) => write_begin(&mut *file),
            (true, _) => write_between(&mut *file),
        };
        let written = written.and_then(|()| write(file));
        self.documents += 1;
        match written {
            Ok(()) => Some(()),
            Err(error) => {
                self.file = None;
                let name = self.path.as_deref().unwrap_or(Path::new("")).display();
                let failure = Failure::file(format!("cannot write `{name}`: {error}"));
                self.session.written(Err(failure));
                None
            }
        }
    }

    /// Finishes the file. Without any evidence there is none.
    pub fn finish(mut self) {
        self.tell_lacking();
        let Some(mut file) = self.file.take() else {
            return;
        };
        if self.evidence == 0 {
            if let Some(path) = &self.path {
                let why = format!("there is no evidence to write to `{}`", path.display());
                self.session.warn([why]);
            }
            return;
        }
        let ended = match self.several {
            true => write_end(&mut file),
            false => Ok(()),
        };
        let name = self.path.as_deref().unwrap_or(Path::new("")).display();
        let ended = ended.map_err(|e| Failure::file(format!("cannot write `{name}`: {e}")));
        self.session.written(ended.and_then(|()| file.finish()));
    }
}

/// A file of evidence that is read: one document, or several.
pub struct Documents {
    path: PathBuf,
    /// The contents, if they came through a pipe, which can be read only once.
    piped: Option<Vec<u8>>,
    /// Where they are.
    pub sections: Vec<Section>,
}

impl Documents {
    /// The same file, of which only one document is meant.
    pub fn only(&self, section: &Section) -> Documents {
        Documents {
            path: self.path.clone(),
            piped: self.piped.clone(),
            sections: vec![*section],
        }
    }

    /// Finds the documents.
    pub fn of(path: &Path) -> Result<Result<Documents, Malformed>, Failure> {
        let file = open(path)?;
        let limits = ReadLimits::default();
        let (piped, length, found) = match file.metadata() {
            Ok(about) if about.is_file() => (None, about.len(), sections(file, &limits)),
            _ => {
                let mut bytes = Vec::new();
                let read = file.take(PIPED).read_to_end(&mut bytes);
                read.map_err(|e| cannot_read(path, &e))?;
                let found = sections(bytes.as_slice(), &limits);
                let length = bytes.len() as u64;
                (Some(bytes), length, found)
            }
        };
        let whole = Section {
            start: 0,
            length,
            lines: 0,
        };
        Ok(found.map(|found| Documents {
            path: path.to_owned(),
            piped,
            sections: found.unwrap_or_else(|| vec![whole]),
        }))
    }

    /// One of them, to be read.
    pub fn open(&self, section: &Section) -> Result<Box<dyn Read + '_>, Failure> {
        if let Some(bytes) = &self.piped {
            let start = usize::try_from(section.start).unwrap_or(usize::MAX);
            let rest = bytes.get(start..).unwrap_or_default();
            return Ok(Box::new(rest.take(section.length)));
        }
        let mut file = open(&self.path)?;
        if section.start > 0 {
            let sought = file.seek(SeekFrom::Start(section.start));
            sought.map_err(|e| cannot_read(&self.path, &e))?;
        }
        Ok(Box::new(file.take(section.length)))
    }

    /// What one of them says, if it says that there is no evidence.
    pub fn none(&self, section: &Section) -> Result<Option<NoEvidence>, Failure> {
        Ok(NoEvidence::read(self.open(section)?, section.length))
    }

    /// What to say of a document that holds no evidence about the system.
    pub fn unreadable(&self, section: &Section, malformed: &Malformed) -> String {
        unreadable(
            &self.path,
            &Malformed {
                line: match malformed.line {
                    0 => 0,
                    line => line + section.lines,
                },
                ..malformed.clone()
            },
        )
    }
}

/// What to say of a file that holds no evidence about the system.
pub fn unreadable(path: &Path, malformed: &Malformed) -> String {
    let name = path.display();
    let Malformed {
        line,
        column,
        message,
    } = malformed;
    match line {
        0 => format!("`{name}` is not evidence for this system: {message}"),
        _ => format!(
            "`{name}` is not evidence for this system: {message} (line {line}, column {column})"
        ),
    }
}

/// Opens a file of evidence.
fn open(path: &Path) -> Result<File, Failure> {
    let name = path.display();
    if path.is_dir() {
        return Err(Failure::file(format!("`{name}` is a folder, not a file")));
    }
    File::open(path).map_err(|e| match e.kind() {
        io::ErrorKind::NotFound => Failure::file(format!("there is no file `{name}`")),
        _ => cannot_read(path, &e),
    })
}

fn cannot_read(path: &Path, error: &io::Error) -> Failure {
    Failure::file(format!("cannot read `{}`: {error}", path.display()))
}
