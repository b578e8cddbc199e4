//! In which form a file is written.

use std::io::Read as _;
use std::path::Path;

use suppose_frontends::lpts;

/// The ways a probabilistic system is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// In the language of PRISM.
    Prism,
    /// State by state.
    Explicit(lpts::Format),
}

/// How much of a file is looked at to know its language.
const LOOK: u64 = 1 << 16;

/// The form of a file, by its name, and where that is not enough by how it begins.
pub fn form(path: &Path) -> Option<Form> {
    let end = path.extension()?.to_str()?.to_ascii_lowercase();
    match end.as_str() {
        "nm" | "sm" | "prism" => Some(Form::Prism),
        "pm" => is_prism(path).then_some(Form::Prism),
        "json" => {
            let ours = beginning(path).contains("\"suppose-lpts\"");
            ours.then_some(Form::Explicit(lpts::Format::Json))
        }
        _ => lpts::Format::of(path.to_str()?).map(Form::Explicit),
    }
}

/// The first part of a file, as far as it is text.
fn beginning(path: &Path) -> String {
    let mut bytes = Vec::new();
    if let Ok(file) = std::fs::File::open(path) {
        // What cannot be read is reported when it is read in earnest.
        let _ = file.take(LOOK).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// `.pm` is PRISM's and PROMELA's: PRISM has modules, PROMELA has processes.
fn is_prism(path: &Path) -> bool {
    let text = beginning(path);
    let word = |w: &str| {
        let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|x| x == w)
    };
    let begins = [
        "endmodule",
        "mdp",
        "dtmc",
        "ctmc",
        "probabilistic",
        "nondeterministic",
    ];
    begins.into_iter().any(word) && !word("proctype")
}
