//! Patterns of file names, for those that no shell has expanded: `*`, `?`, `[a-z]`, and `**` for folders at any depth.
//!
//! Names are bytes here, because those of files need not be text.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

/// Folders within folders, this deep.
const DEEPEST: usize = 64;

/// Is it a pattern, and not only a name?
pub fn is_pattern(path: &Path) -> bool {
    let special = |b: &u8| matches!(b, b'*' | b'?' | b'[');
    path.as_os_str().as_bytes().iter().any(special)
}

/// The files that a pattern matches, by name.
pub fn matching(pattern: &Path) -> io::Result<Vec<PathBuf>> {
    let parts: Vec<Component> = pattern.components().collect();
    let mut found = Vec::new();
    expand(PathBuf::new(), &parts, 0, &mut found)?;
    found.sort();
    found.dedup();
    Ok(found)
}

/// `before` is what is known of the path, `parts` is what is left of the pattern.
fn expand(
    before: PathBuf,
    parts: &[Component],
    depth: usize,
    found: &mut Vec<PathBuf>,
) -> io::Result<()> {
    let Some((part, rest)) = parts.split_first() else {
        if before.is_file() {
            found.push(before);
        }
        return Ok(());
    };
    let name = part.as_os_str();
    if name == "**" {
        expand(before.clone(), rest, depth, found)?;
        if depth < DEEPEST {
            for entry in entries(&before)? {
                // Links to folders could lead in a circle.
                if entry.is_dir() && !entry.is_symlink() && !is_hidden(&entry) {
                    expand(entry, parts, depth + 1, found)?;
                }
            }
        }
        return Ok(());
    }
    if !is_pattern(Path::new(name)) {
        return expand(before.join(name), rest, depth, found);
    }
    for entry in entries(&before)? {
        let Some(own) = entry.file_name() else {
            continue;
        };
        // As in a shell, a star does not stand for the dot of a hidden file.
        let is_meant = !is_hidden(&entry) || name.as_bytes().starts_with(b".");
        if is_meant && fits(name.as_bytes(), own.as_bytes()) {
            expand(entry, rest, depth, found)?;
        }
    }
    Ok(())
}

/// What a folder has, by name; nothing if it is no folder.
pub fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let here = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    if !here.is_dir() {
        return Ok(Vec::new());
    }
    let mut all = Vec::new();
    for entry in std::fs::read_dir(here)? {
        all.push(folder.join(entry?.file_name()));
    }
    all.sort();
    Ok(all)
}

/// Is it hidden, as its name begins with a dot?
pub fn is_hidden(path: &Path) -> bool {
    let name = path.file_name().map(OsStr::as_bytes);
    name.is_some_and(|n| n.starts_with(b"."))
}

/// Does a name match a pattern? Without recursion: of several stars only the last is tried again, which is enough.
fn fits(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut again: Option<(usize, usize)> = None;
    while n < name.len() {
        if pattern.get(p) == Some(&b'*') {
            again = Some((p, n));
            p += 1;
            continue;
        }
        if let Some(used) = one(&pattern[p..], &name[n..]) {
            p += used.0;
            n += used.1;
            continue;
        }
        match again {
            Some((star, at)) => {
                again = Some((star, at + 1));
                p = star + 1;
                n = at + 1;
            }
            None => return false,
        }
    }
    pattern[p..].iter().all(|b| *b == b'*')
}

/// How much of pattern and name one character takes, if it matches.
fn one(pattern: &[u8], name: &[u8]) -> Option<(usize, usize)> {
    match pattern.first()? {
        b'?' => Some((1, character(name))),
        b'[' => match class(pattern, *name.first()?) {
            Some((true, used)) => Some((used, 1)),
            Some((false, _)) => None,
            // It is not closed, and stands for itself.
            None => (name.first() == Some(&b'[')).then_some((1, 1)),
        },
        byte => (name.first() == Some(byte)).then_some((1, 1)),
    }
}

/// How many bytes the first character has.
fn character(name: &[u8]) -> usize {
    let is_inner = |b: &&u8| **b & 0xc0 == 0x80;
    1 + name[1..].iter().take_while(is_inner).count()
}

/// `[a-z_]` or `[!0-9]`: is the byte one of them, and how long is the class?
fn class(pattern: &[u8], byte: u8) -> Option<(bool, usize)> {
    let negated = matches!(pattern.get(1), Some(b'!' | b'^'));
    let start = if negated { 2 } else { 1 };
    // A bracket that comes first is one of the characters.
    let length = pattern.get(start + 1..)?.iter().position(|b| *b == b']')?;
    let inside = &pattern[start..=start + length];
    let mut at = 0;
    let mut is_in = false;
    while at < inside.len() {
        match (inside.get(at + 1), inside.get(at + 2)) {
            (Some(b'-'), Some(last)) => {
                is_in |= (inside[at]..=*last).contains(&byte);
                at += 3;
            }
            _ => {
                is_in |= inside[at] == byte;
                at += 1;
            }
        }
    }
    Some((is_in != negated, start + length + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_patterns() {
        for (pattern, name, expected) in [
            ("*.pml", "a.pml", true),
            ("*.pml", "a.pm", false),
            ("*", "", true),
            ("a*b*c", "aXbYbc", true),
            ("a*b*c", "aXbYb", false),
            ("?.smv", "é.smv", true),
            ("?.smv", "ab.smv", false),
            ("m[0-9].c", "m7.c", true),
            ("m[!0-9].c", "m7.c", false),
            ("m[]x].c", "m].c", true),
            ("m[ab", "m[ab", true),
            ("[", "[", true),
            ("**", "x", true),
        ] {
            let fitting = fits(pattern.as_bytes(), name.as_bytes());
            assert_eq!(fitting, expected, "{pattern} {name}");
        }
        // No pattern takes more than its length times that of the name.
        let many = "*a".repeat(200) + "b";
        assert!(!fits(many.as_bytes(), "a".repeat(5_000).as_bytes()));
    }
}
