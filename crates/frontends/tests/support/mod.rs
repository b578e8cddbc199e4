//! What the tests on PROMELA files share.

use std::path::Path;

use suppose_frontends::promela::{Read, read};
use suppose_source::{ParserLimits, SourceFile, Sources};

/// Reads a program, with the files beside it; the errors as they are shown.
pub fn read_file(path: &Path) -> Result<Read, String> {
    let mut sources = Sources::new();
    let text = std::fs::read_to_string(path).unwrap();
    let file = sources.add(SourceFile::new(path.display().to_string(), text));
    let folder = path.parent().unwrap().to_owned();
    let mut includes =
        |name: &str| std::fs::read_to_string(folder.join(name)).map_err(|e| e.to_string());
    read(
        file,
        &mut sources,
        &mut includes,
        &[],
        &ParserLimits::default(),
    )
    .map_err(|errors| {
        let shown: Vec<String> = errors.iter().map(|e| e.render(&sources, false)).collect();
        shown.join("\n")
    })
}
