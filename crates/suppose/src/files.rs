//! Output files: written completely or not at all, and never over an input file.
//!
//! Output goes to a temporary file beside the final one, which replaces it when it is complete. When the
//! program has to end before that, nothing is left behind.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::failure::Failure;

/// The output files of one run: those in progress, and the inputs that must not be overwritten.
#[derive(Clone, Debug, Default)]
pub struct Outputs(Arc<Mutex<Open>>);

#[derive(Debug, Default)]
struct Open {
    /// No file may be finished any more.
    over: bool,
    /// Files that are not finished.
    unfinished: Vec<PathBuf>,
    /// Files that are read.
    read: Vec<PathBuf>,
}

/// A file in progress. It appears under its name when it is finished, and not at all when it is dropped.
#[derive(Debug)]
pub struct Pending {
    run: Outputs,
    out: Option<BufWriter<File>>,
    target: PathBuf,
    /// The temporary file; none when it is written in place, as a device is.
    beside: Option<PathBuf>,
}

impl Outputs {
    fn lock(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a file.
    pub fn begin(&self, path: &Path) -> Result<Pending, Failure> {
        let fail = |e: io::Error| cannot(path, &e);
        if self.lock().read.iter().any(|r| is_same(r, path)) {
            let message = format!("`{}` is an input and would be overwritten", path.display());
            return Err(Failure::usage(message).help("give the result another name"));
        }
        // A link stays a link: its target is replaced.
        let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if is_special(path) {
            let out = OpenOptions::new().append(true).open(path).map_err(fail)?;
            return Ok(Pending {
                run: self.clone(),
                out: Some(BufWriter::new(out)),
                target,
                beside: None,
            });
        }
        if target.exists() {
            // A read-only file is not replaced either.
            OpenOptions::new()
                .append(true)
                .open(&target)
                .map_err(fail)?;
        }
        let beside = beside(&target);
        let out = File::create(&beside).map_err(fail)?;
        let mut open = self.lock();
        if open.over {
            let _ = std::fs::remove_file(&beside);
            return Err(Failure::file("it is too late to write"));
        }
        open.unfinished.push(beside.clone());
        Ok(Pending {
            run: self.clone(),
            out: Some(BufWriter::new(out)),
            target,
            beside: Some(beside),
        })
    }

    /// Writes a file, completely or not at all.
    pub fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        let mut pending = self.begin(path)?;
        let written = pending.write_all(bytes);
        written.map_err(|e| cannot(path, &e))?;
        pending.finish()
    }

    /// The run ends: removes unfinished files, and lets no other appear.
    pub fn give_up(&self) {
        let mut open = self.lock();
        open.over = true;
        for path in open.unfinished.drain(..) {
            let _ = std::fs::remove_file(path);
        }
    }

    /// Checks before the run that the results can be written, so that none is lost. `outputs` have the name of their option.
    pub fn probe(&self, inputs: &[PathBuf], outputs: &[(String, PathBuf)]) -> Result<(), Failure> {
        let inputs_are: BTreeSet<Identity> =
            inputs.iter().filter_map(|i| Identity::of(i)).collect();
        let mut earlier: BTreeMap<Identity, &String> = BTreeMap::new();
        for (option, path) in outputs {
            let shown = path.display();
            if let Some(identity) = Identity::of(path) {
                if inputs_are.contains(&identity) {
                    let message = format!("{option} would overwrite the input `{shown}`");
                    return Err(Failure::usage(message).help("give the result another name"));
                }
                if let Some(other) = earlier.insert(identity, option)
                    && !is_special(path)
                {
                    let message = format!("{other} and {option} name the same file, `{shown}`");
                    return Err(Failure::usage(message));
                }
            }
            if path.is_dir() {
                return Err(Failure::file(format!("`{shown}` is a folder, not a file")));
            }
            // Created and dropped: what can be created can be written. A pipe would wait for its reader.
            if !is_special(path) {
                self.begin(path)?;
            }
        }
        let mut open = self.lock();
        open.read = inputs.to_vec();
        Ok(())
    }
}

impl Pending {
    /// Moves it to its final name.
    pub fn finish(mut self) -> Result<(), Failure> {
        let result = self.put();
        result.map_err(|e| cannot(&self.target, &e))
    }

    fn put(&mut self) -> io::Result<()> {
        let Some(mut out) = self.out.take() else {
            return Ok(());
        };
        out.flush()?;
        let Some(beside) = self.beside.take() else {
            return Ok(());
        };
        if let Ok(old) = std::fs::metadata(&self.target) {
            std::fs::set_permissions(&beside, old.permissions())?;
        }
        let mut open = self.run.lock();
        open.unfinished.retain(|u| *u != beside);
        let renamed = match open.over {
            true => Err(io::Error::other("it is too late to write")),
            false => std::fs::rename(&beside, &self.target),
        };
        if renamed.is_err() {
            let _ = std::fs::remove_file(&beside);
        }
        renamed
    }
}

impl Write for Pending {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.out {
            Some(out) => out.write(bytes),
            None => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if let Some(beside) = self.beside.take() {
            self.run.lock().unfinished.retain(|u| *u != beside);
            let _ = std::fs::remove_file(beside);
        }
    }
}

/// `model.cert` with `deadlock` becomes `model.deadlock.cert`: of several results each gets a file.
pub(crate) fn with_words(path: &Path, words: &[String]) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    for word in words {
        name.push(".");
        name.push(word);
    }
    if let Some(end) = path.extension() {
        name.push(".");
        name.push(end);
    }
    path.with_file_name(name)
}

fn cannot(path: &Path, error: &io::Error) -> Failure {
    let mut failure = Failure::file(format!("cannot write `{}`: {error}", path.display()));
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
    if error.kind() == io::ErrorKind::NotFound
        && let Some(folder) = folder.filter(|f| !f.exists())
    {
        failure = failure.help(format!("there is no folder `{}`", folder.display()));
    }
    failure
}

/// Something that is there and is no file: a device, a pipe. What `/dev/stdout` leads to may be a file, but one that is open.
fn is_special(path: &Path) -> bool {
    let open = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"];
    let open = open.iter().any(|o| path.starts_with(o));
    std::fs::metadata(path).is_ok_and(|m| !m.is_dir() && (open || !m.is_file()))
}

/// An unused name in the same folder.
fn beside(target: &Path) -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let process = std::process::id();
    target.with_file_name(format!(".suppose-{process}-{number}.unfinished"))
}

/// What a name leads to: two names of one file have the same, whatever links lead to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Identity {
    /// Something that is there: device and number.
    There(u64, u64),
    /// Something that is not there yet.
    Missing(PathBuf),
}

impl Identity {
    /// None of standard input, which is no file.
    fn of(path: &Path) -> Option<Identity> {
        use std::os::unix::fs::MetadataExt;
        if path == Path::new("-") {
            return None;
        }
        Some(match std::fs::metadata(path) {
            Ok(it) => Identity::There(it.dev(), it.ino()),
            Err(_) => Identity::Missing(full(path)),
        })
    }
}

/// One file, whatever links lead to it.
fn is_same(a: &Path, b: &Path) -> bool {
    let (a, b) = (Identity::of(a), Identity::of(b));
    a.is_some() && a == b
}

/// The name of a file that does not exist yet, with its folder resolved.
fn full(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    folder.join(path.file_name().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("suppose-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        path
    }

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let here = folder("whole");
        let path = here.join("x.txt");
        std::fs::write(&path, "old").unwrap();
        let mut pending = Outputs::default().begin(&path).unwrap();
        pending.write_all(b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        drop(pending);
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        Outputs::default().write(&path, b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(std::fs::read_dir(&here).unwrap().count(), 1);
        std::fs::remove_dir_all(&here).unwrap();
    }

    #[test]
    fn links_lead_to_the_same_file() {
        let here = folder("links");
        let (a, b) = (here.join("a"), here.join("b"));
        std::fs::write(&a, "x").unwrap();
        std::os::unix::fs::symlink(&a, &b).unwrap();
        assert!(is_same(&a, &b));
        assert!(!is_same(&a, &here.join("c")));
        assert!(is_same(
            &here.join("c"),
            &here.join("../").join(here.file_name().unwrap()).join("c")
        ));
        let outputs = [("--report".to_owned(), b.clone())];
        assert!(
            Outputs::default()
                .probe(std::slice::from_ref(&a), &outputs)
                .is_err()
        );
        // What a link leads to is replaced, not the link.
        Outputs::default().write(&b, b"y").unwrap();
        assert!(b.is_symlink());
        assert_eq!(std::fs::read(&a).unwrap(), b"y");
        std::fs::remove_dir_all(&here).unwrap();
    }

    #[test]
    fn devices_are_written_in_place() {
        Outputs::default()
            .write(Path::new("/dev/null"), b"x")
            .unwrap();
    }
}
