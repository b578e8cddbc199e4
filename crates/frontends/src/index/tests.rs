use super::*;

/// All model files below a folder.
fn models(folder: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().flatten().collect();
    entries.sort_by_key(|e| e.path());
    for entry in entries {
        let path = entry.path();
        match path.is_dir() {
            true => models(&path, found),
            false => found.push(path),
        }
    }
}

fn examples() -> Vec<(String, Language, String)> {
    let mut found = Vec::new();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    models(&folder, &mut found);
    let named = found.into_iter().filter_map(|path| {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(&path).ok()?;
        let language = Language::detect(&name, &text)?;
        Language::of(&name)?;
        Some((name, language, text))
    });
    named.collect()
}

/// Names that are not written out: `##` makes them, or they are missing.
fn is_made_of_parts(file: &str) -> bool {
    ["name-undeclared.pml", "levels.c", "levels-unsafe.c"]
        .iter()
        .any(|name| file.ends_with(name))
}

/// Names that headers and SPIN itself define.
const FROM_OUTSIDE: [&str; 15] = [
    "abort",
    "exit",
    "assert",
    "__assert_fail",
    "reach_error",
    "bool",
    "uint8_t",
    "size_t",
    "NULL",
    "__VERIFIER_assert",
    "__func__",
    "running",
    "hidden",
    "malloc",
    "free",
];

#[test]
fn names_of_the_examples_are_resolved() {
    let mut open = Vec::new();
    let mut names = 0;
    for (file, language, text) in examples() {
        let index = Index::new(language, &text);
        names += index.occurrences.len();
        for span in index.unresolved() {
            let name = &text[span.clone()];
            if FROM_OUTSIDE.contains(&name)
                || name.starts_with("__VERIFIER_")
                || language == Language::SmtLib
            {
                continue;
            }
            let line = text[..span.start].matches('\n').count() + 1;
            // In a macro: what is there where it is used.
            let lines: Vec<&str> = text.lines().take(line).collect();
            let goes_on = |l: &&&str| l.ends_with('\\');
            let before = lines[..line - 1].iter().rev().take_while(goes_on).count();
            if lines[line - 1 - before].starts_with('#') || is_made_of_parts(&file) {
                continue;
            }
            open.push(format!("{file}:{line}: {name}"));
        }
    }
    assert!(names > 10_000, "{names}");
    assert!(open.is_empty(), "{}", open.join("\n"));
}

/// What is at each place of a text, so that nothing there can panic.
fn look_everywhere(language: Language, text: &str) {
    let index = Index::new(language, text);
    for offset in (0..=text.len()).step_by(7) {
        index.name_at(offset);
        index.at(offset);
    }
    index.classes(0..text.len());
    for (number, symbol) in index.symbols().iter().enumerate() {
        assert!(text.is_char_boundary(symbol.extent.end) && symbol.extent.end <= text.len());
        assert_eq!(
            text[symbol.span.clone()].trim_matches(['"', '|']),
            symbol.name
        );
        assert!(index.uses(number).contains(&symbol.span), "{}", symbol.name);
        index.documentation(number, text);
    }
}

#[test]
fn a_text_that_ends_anywhere_has_an_index() {
    let mut shortest: Vec<(String, Language, String)> = examples();
    shortest.sort_by_key(|(name, _, text)| (text.len(), name.clone()));
    for (_, language, text) in shortest.iter().filter(|(_, _, t)| t.len() > 300).take(60) {
        for end in (0..text.len())
            .step_by(41)
            .filter(|e| text.is_char_boundary(*e))
        {
            look_everywhere(*language, &text[..end]);
            // And one where a part is missing.
            let rest = text.get(end + 17..).unwrap_or_default();
            look_everywhere(*language, &format!("{}{rest}", &text[..end]));
        }
    }
}

#[test]
fn signs_alone_have_an_index() {
    let signs = [
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "\"",
        "'",
        "#",
        "#define",
        "/*",
        "--",
        ":",
        ".",
        ",",
        "\\\n",
        "\u{1d11e}",
    ];
    for language in Language::ALL {
        for a in signs {
            for b in signs {
                look_everywhere(language, &format!("{a}{b}x {b}{a}"));
                look_everywhere(language, &format!("P = {a}x{b}.Y{a}"));
                look_everywhere(
                    language,
                    &format!("proctype {a}x{b} module y {a} MODULE z VAR {b} : {a}"),
                );
            }
        }
    }
}

#[test]
fn what_is_defined_already_is_no_new_name() {
    let text = "active proctype P() { byte a; byte b; a = b }";
    let index = Index::new(Language::Promela, text);
    let a = index.at(text.find("a;").unwrap()).unwrap();
    assert!(index.rename(a, "b", text).is_err());
    assert_eq!(index.rename(a, "c", text).unwrap().len(), 2);
}
