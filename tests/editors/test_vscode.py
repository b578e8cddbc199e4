"""The extension for Visual Studio Code: it can be packaged, and its parts agree with each other."""

import importlib.util
import json
import pathlib
import re
import xml.etree.ElementTree as xml
import zipfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "editors" / "vscode"


def load(path):
    return json.loads((FOLDER / path).read_text())


def module():
    spec = importlib.util.spec_from_file_location("package", FOLDER / "package.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


PACKAGE = load("package.json")
GRAMMARS = PACKAGE["contributes"]["grammars"]


def test_the_bundle_is_that_of_the_sources():
    made = load("dist/made-from.json")
    assert made == module().record(), "run `npm ci && npm run build` in editors/vscode"


def test_the_package_has_all_that_it_names(tmp_path):
    made = module().write(tmp_path / "suppose.vsix")
    with zipfile.ZipFile(made) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        manifest = xml.fromstring(archive.read("extension.vsixmanifest"))
        types = xml.fromstring(archive.read("[Content_Types].xml"))
        package = json.loads(archive.read("extension/package.json"))
    space = {"v": "http://schemas.microsoft.com/developer/vsx-schema/2011"}
    identity = manifest.find("v:Metadata/v:Identity", space).attrib
    assert (identity["Id"], identity["Version"], identity["Publisher"]) == ("suppose", package["version"], "suppose")
    for asset in manifest.findall("v:Assets/v:Asset", space):
        assert asset.attrib["Path"] in names
    endings = {d.attrib["Extension"] for d in types}
    assert {pathlib.PurePath(n).suffix for n in names if n.startswith("extension/")} <= endings
    for name in module().files(package):
        assert f"extension/{name}" in names
    assert "extension/LICENSE-MIT.txt" in names and "extension/dist/notices.txt" in names


def test_commands_are_registered():
    source = (FOLDER / "src" / "extension.js").read_text()
    for command in PACKAGE["contributes"]["commands"]:
        assert f'command("{command["command"]}"' in source
    for setting in PACKAGE["contributes"]["configuration"]["properties"]:
        assert f'get("{setting.removeprefix("suppose.")}")' in source
    # The server's commands are registered by the client library, under their own names.
    server = (ROOT / "crates" / "lsp" / "src" / "lens.rs").read_text()
    own = {c["command"] for c in PACKAGE["contributes"]["commands"]}
    assert not own & set(re.findall(r'"(suppose\.\w+)"', server))


def rules(grammar):
    for rule in grammar["patterns"]:
        yield from ((rule["name"], rule[key]) for key in ("match", "begin", "end") if key in rule)


def test_languages_grammars_and_snippets_agree():
    languages = {language["id"] for language in PACKAGE["contributes"]["languages"]}
    assert {g["language"] for g in GRAMMARS} == languages
    for grammar in GRAMMARS:
        text = load(grammar["path"])
        assert text["scopeName"] == grammar["scopeName"]
        for _, pattern in rules(text):
            re.compile(pattern)
    for snippets in PACKAGE["contributes"]["snippets"]:
        assert snippets["language"] in languages
        for snippet in load(snippets["path"]).values():
            assert snippet["prefix"] and snippet["body"]


def scope(grammar, line, word):
    """The scope that the first rule gives to a word, as the editor applies them: the leftmost match, the first rule."""
    at, position = line.index(word), 0
    while position < len(line):
        found = [(m.start(), i, name, m) for i, (name, p) in enumerate(rules(grammar)) if (m := re.compile(p).search(line, position)) and m.end() > m.start()]
        if not found:
            return None
        start, _, name, match = min(found, key=lambda f: (f[0], f[1]))
        if start <= at < match.end():
            return name
        position = match.end()
    return None


@pytest.mark.parametrize(
    "language, line, word, wanted",
    [
        ("fsp", "property Safe = (a -> Safe).", "property", "keyword"),
        ("fsp", "P = (a -> STOP).", "STOP", "constant"),
        ("fsp", "P = (a -> Q).", "P", "entity.name.type"),
        ("promela", "active proctype P() { byte x }", "byte", "storage.type"),
        ("promela", "  #define N 3", "#define", "meta.preprocessor"),
        ("promela", "do :: x > 0 -> skip od", "skip", "constant"),
        ("smv", "INVARSPEC NAME p := x; -- why", "INVARSPEC", "keyword.control"),
        ("smv", "INVARSPEC NAME p := x; -- why", "why", "comment"),
        ("smv", "x : boolean;", "boolean", "storage.type"),
        ("prism", "endmodule", "endmodule", "keyword"),
        ("prism", "[go] s=0 -> 0.5 : (s'=1);", "0.5", "constant.numeric"),
        ("smtlib", "(declare-fun inv (Int) Bool)", "declare-fun", "keyword"),
        ("smtlib", "(declare-fun inv (Int) Bool)", "Int", "storage.type"),
        ("aut", 'des (0, 1, 2)', "des", "keyword"),
    ],
)
def test_grammars_colour_words(language, line, word, wanted):
    [path] = [g["path"] for g in GRAMMARS if g["language"] == language]
    assert (scope(load(path), line, word) or "").startswith(wanted)


def test_every_ending_of_the_languages_is_known():
    known = {ending for language in PACKAGE["contributes"]["languages"] for ending in language["extensions"]}
    source = (ROOT / "crates" / "frontends" / "src" / "language.rs").read_text()
    ours = re.findall(r"Language::(Fsp|Promela|Prism|Smv|SmtLib|Aut) => &\[([^\]]*)\]", source)
    for language, endings in ours:
        for ending in re.findall(r'"(\w+)"', endings):
            assert f".{ending}" in known, (language, ending)
