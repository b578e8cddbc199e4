//! Suppose as a Python module: what crosses the border. The module that users import is Python, in `suppose/`; it calls these functions
//! with options as on a command line, and makes data classes of the JSON documents that come back.

mod arguments;
mod watch;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use suppose::{
    AssumeOptions, CertifyOptions, CheckOptions, DrawOptions, Failure, SimulateOptions, Simulation,
    Source,
};

use crate::arguments::parse;
use crate::watch::Watching;

/// An error with its document and its text for people.
mod errors {
    #![allow(missing_docs)]
    pyo3::create_exception!(_native, Failed, pyo3::exceptions::PyException);
}

/// A failure as an exception with two arguments.
fn failed(failure: &Failure) -> PyErr {
    errors::Failed::new_err((failure.json(), failure.text(false)))
}

/// The files of a model, and those whose texts are given.
fn source(files: Vec<PathBuf>, texts: Vec<(PathBuf, Vec<u8>)>) -> Source {
    texts
        .into_iter()
        .fold(Source::files(files), |source, (name, text)| {
            source.with(name, text)
        })
}

/// Does work without Python's lock; signals and progress are looked after in the meantime.
fn work<T: Send>(
    py: Python<'_>,
    on_progress: Option<Py<PyAny>>,
    job: impl FnOnce(Arc<Watching>) -> Result<T, Failure> + Send,
) -> PyResult<T> {
    let watching = Arc::new(Watching::new(on_progress));
    let watcher = Arc::clone(&watching);
    let done = py.detach(move || job(watcher));
    match watching.raised() {
        Some(error) => Err(error),
        None => done.map_err(|failure| failed(&failure)),
    }
}

/// What a check found.
#[pyclass(frozen)]
struct Report {
    report: Mutex<suppose::Report>,
}

impl Report {
    fn of(report: suppose::Report) -> Report {
        Report {
            report: Mutex::new(report),
        }
    }

    fn lock(&self) -> MutexGuard<'_, suppose::Report> {
        self.report.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Report {
    /// The JSON document.
    fn json(&self) -> String {
        self.lock().json()
    }

    /// The text for a terminal.
    fn text(&self) -> String {
        self.lock().text(false)
    }

    /// The page.
    fn html(&self) -> String {
        self.lock().html()
    }

    /// Which claims have evidence that was accepted.
    fn certified(&self) -> Vec<(String, bool)> {
        let claims = self.lock().claims();
        claims
            .into_iter()
            .map(|c| (c.name, c.is_certified))
            .collect()
    }

    /// The counterexample of a claim as the document of a walk, if it is a single run.
    fn run(&self, claim: &str) -> Option<String> {
        let transcript = self.lock().replay_of(claim)?.ok()?;
        Some(transcript.json().to_string())
    }

    /// The errors that came up beside the verdicts.
    fn failure(&self) -> Option<String> {
        self.lock().failure().map(|f| f.text(false))
    }
}

/// Decides the claims on a model.
#[pyfunction]
fn check(
    py: Python<'_>,
    files: Vec<PathBuf>,
    texts: Vec<(PathBuf, Vec<u8>)>,
    options: Vec<OsString>,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<Report> {
    let (mut asked, given) = parse::<CheckOptions>(options).map_err(|f| failed(&f))?;
    asked.run.given = given;
    let source = source(files, texts);
    work(py, on_progress, move |watcher| {
        suppose::check(&source, &asked, watcher)
    })
    .map(Report::of)
}

/// Finds the smallest assumption that proves a property.
#[pyfunction]
fn assume(
    py: Python<'_>,
    files: Vec<PathBuf>,
    texts: Vec<(PathBuf, Vec<u8>)>,
    options: Vec<OsString>,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<Report> {
    let (mut asked, given) = parse::<AssumeOptions>(options).map_err(|f| failed(&f))?;
    asked.run.given = given;
    let source = source(files, texts);
    work(py, on_progress, move |watcher| {
        suppose::assume(&source, &asked, watcher)
    })
    .map(Report::of)
}

/// Checks evidence again; the document and the text.
#[pyfunction]
fn certify(
    py: Python<'_>,
    certificate: PathBuf,
    files: Vec<PathBuf>,
    texts: Vec<(PathBuf, Vec<u8>)>,
    options: Vec<OsString>,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<(String, String)> {
    let (mut asked, given) = parse::<CertifyOptions>(options).map_err(|f| failed(&f))?;
    asked.run.given = given;
    asked.certificate = certificate;
    let source = source(files, texts);
    work(py, on_progress, move |watcher| {
        let judged = suppose::certify(&source, &asked, watcher)?;
        Ok((judged.json(), judged.text()))
    })
}

/// Takes steps at random; the document of the walk with its last line, and warnings.
#[pyfunction]
fn simulate(
    py: Python<'_>,
    files: Vec<PathBuf>,
    texts: Vec<(PathBuf, Vec<u8>)>,
    options: Vec<OsString>,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<(String, String, Vec<String>)> {
    let (mut asked, given) = parse::<SimulateOptions>(options).map_err(|f| failed(&f))?;
    asked.run.given = given;
    if asked.interactive {
        let failure = Failure::usage("there is no interactive simulation in Python");
        return Err(failed(&failure));
    }
    let source = source(files, texts);
    work(py, on_progress, move |watcher| {
        match suppose::simulate(&source, &asked, None, watcher)? {
            Simulation::Walked(walk, warnings) => {
                Ok((walk.json().to_string(), walk.last_line(), warnings))
            }
            Simulation::Nothing(report) => Err(Failure::usage(format!(
                "there is no counterexample to follow: {}",
                report.last_line()
            ))),
        }
    })
}

/// Draws a model as DOT, or as SVG into the file that an option names.
#[pyfunction]
fn draw(
    py: Python<'_>,
    files: Vec<PathBuf>,
    texts: Vec<(PathBuf, Vec<u8>)>,
    options: Vec<OsString>,
) -> PyResult<Option<String>> {
    let (mut asked, given) = parse::<DrawOptions>(options).map_err(|f| failed(&f))?;
    asked.run.given = given;
    let source = source(files, texts);
    work(py, None, move |watcher| {
        suppose::draw(&source, &asked, watcher)
    })
}

/// Explains a word of reports and documentation.
#[pyfunction]
fn explain(word: &str) -> PyResult<String> {
    let entry = suppose::explain(word).map_err(|f| failed(&f))?;
    Ok(entry.text_in(100))
}

/// What `suppose/` imports.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::{Report, assume, certify, check, draw, explain, simulate};
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // Panics of engines become verdicts `unknown(internal error)`.
        suppose::silence_panics();
        module.add("Failed", module.py().get_type::<super::errors::Failed>())?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
