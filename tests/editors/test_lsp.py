"""A language client drives `suppose lsp`: every feature, in every language."""

import asyncio
import os
import pathlib
import subprocess

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The longest that anything is waited for; a good run takes seconds in all.
PATIENCE = 60


def program():
    """The program an environment variable names, or else the one cargo builds."""
    if "SUPPOSE_BIN" in os.environ:
        return os.path.abspath(os.environ["SUPPOSE_BIN"])
    subprocess.run(["cargo", "build", "--quiet", "-p", "suppose-cli"], cwd=ROOT, check=True)
    return str(ROOT / "target" / "debug" / "suppose")


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[program(), "lsp"]))
async def client(lsp_client: LanguageClient, tmp_path):
    @lsp_client.feature(types.WORKSPACE_CODE_LENS_REFRESH)
    def refreshed(_params):
        """Lenses are asked for when they are wanted."""

    folder = types.WorkspaceFolder(uri=tmp_path.as_uri(), name="models")
    params = types.InitializeParams(
        capabilities=client_capabilities("visual-studio-code"),
        workspace_folders=[folder],
        initialization_options={"timeout": PATIENCE},
    )
    await lsp_client.initialize_session(params)
    yield
    await lsp_client.shutdown_session()


class Model:
    """A text that is open in the editor. Places are named by what stands there: `¦` is the cursor."""

    def __init__(self, client, path, text, language, saved=True):
        self.client, self.text, self.version = client, text, 1
        self.uri = path.as_uri()
        if saved:
            path.write_text(text)
        item = types.TextDocumentItem(uri=self.uri, language_id=language, version=1, text=text)
        client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def position(self, marked):
        """The position of the cursor in a piece of the text, in units of UTF-16."""
        at = marked.index("¦")
        offset = self.text.index(marked.replace("¦", "")) + at
        before = self.text[:offset].split("\n")
        return types.Position(len(before) - 1, len(before[-1].encode("utf-16-le")) // 2)

    def place(self, marked):
        return {"text_document": types.TextDocumentIdentifier(self.uri), "position": self.position(marked)}

    def at(self, span):
        """The text of a range."""
        lines = self.text.split("\n")
        assert span.start.line == span.end.line
        line = lines[span.start.line].encode("utf-16-le")
        return line[2 * span.start.character : 2 * span.end.character].decode("utf-16-le")

    def edit(self, marked, new):
        """Puts text at the cursor, as typing does."""
        place, self.version = self.position(marked), self.version + 1
        offset = self.text.index(marked.replace("¦", "")) + marked.index("¦")
        self.text = self.text[:offset] + new + self.text[offset:]
        change = types.TextDocumentContentChangePartial(range=types.Range(place, place), text=new)
        item = types.VersionedTextDocumentIdentifier(version=self.version, uri=self.uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(item, [change]))

    async def diagnostics(self):
        """What is said about the present text."""
        for _ in range(PATIENCE * 20):
            if PUBLISHED.get(self.uri, 0) >= self.version:
                return self.client.diagnostics[self.uri]
            await asyncio.sleep(0.05)
        raise AssertionError("no diagnostics")

    async def hover(self, marked):
        found = await self.client.text_document_hover_async(types.HoverParams(**self.place(marked)))
        return found.contents.value if found else None

    async def definition(self, marked):
        return await self.client.text_document_definition_async(types.DefinitionParams(**self.place(marked)))

    async def references(self, marked):
        context = types.ReferenceContext(include_declaration=True)
        params = types.ReferenceParams(context=context, **self.place(marked))
        return await self.client.text_document_references_async(params) or []

    async def rename(self, marked, new):
        params = types.RenameParams(new_name=new, **self.place(marked))
        return await self.client.text_document_rename_async(params)

    async def complete(self, marked):
        found = await self.client.text_document_completion_async(types.CompletionParams(**self.place(marked)))
        return {item.label: item for item in found.items}

    async def symbols(self):
        document = types.TextDocumentIdentifier(self.uri)
        return await self.client.text_document_document_symbol_async(types.DocumentSymbolParams(document))

    async def lenses(self):
        document = types.TextDocumentIdentifier(self.uri)
        found = await self.client.text_document_code_lens_async(types.CodeLensParams(document))
        return {lens.command.title: lens for lens in found}

    async def command(self, command):
        params = types.ExecuteCommandParams(command=command.command, arguments=command.arguments)
        return await asyncio.wait_for(self.client.workspace_execute_command_async(params), PATIENCE)


PUBLISHED = {}


@pytest.fixture(autouse=True)
def published(client, monkeypatch):
    """Keeps the version that diagnostics are about."""
    PUBLISHED.clear()
    handler = client.protocol.fm.features["textDocument/publishDiagnostics"]

    def note(params):
        handler(params)
        PUBLISHED[params.uri] = params.version or 0

    monkeypatch.setitem(client.protocol.fm.features, "textDocument/publishDiagnostics", note)


FSP = """// How many requests may be open.
const N = 3
range R = 0..N

BUFFER = COUNT[0],
COUNT[i:R] = (when (i < N) put -> COUNT[i+1] | when (i > 0) get -> COUNT[i-1]).
USER = (put -> USER | get -> USER).
property Order = (put -> get -> Order).
||SYS = (BUFFER || USER || Order).
"""
PROMELA = """/* The number of tickets. */
byte ticket = 1;
mtype = { req, ack };
typedef Cell { byte value; bool free }
chan c = [1] of { mtype, byte };
Cell cell;

inline take(x) { x = ticket; ticket++ }

active proctype Client() {
    byte mine;
again:
    take(mine);
    c!req(mine);
    cell.value = mine;
    if
    :: mine < 3 -> goto again
    :: else
    fi;
    assert(ticket < 3)
}
active proctype Server() {
    byte got;
    do :: c?req(got) od
}
ltl small { [] (ticket <= 4) }
"""
SMV = """MODULE counter(step)
VAR
  n : 0..7; -- how far it is
  mode : {idle, busy};
DEFINE
  full := n = 7;
ASSIGN
  init(n) := 0;
  next(n) := case full | !step : n; TRUE : n + 1; esac;

MODULE main
VAR
  go : boolean;
  c : counter(go);
INVARSPEC NAME low := c.n < 5;
LTLSPEC NAME safe := G c.n <= 7;
"""
PRISM = """mdp

const int N = 2;
// Nobody waits.
formula calm = s=0;

module left
  s : [0..N] init 0;
  [go] s<N -> 0.5 : (s'=s+1) + 0.5 : (s'=s);
endmodule

module right = left [ s=t ] endmodule

label "done" = s=N & t=N;
rewards "steps"
  [go] calm : 1;
endrewards
"""
C = """#include <assert.h>
#define LIMIT 3
extern int unknown(void);

/* Adds one, up to the limit. */
int step(int x) {
    if (x < LIMIT) return x + 1;
    return x;
}

int main(void) {
    int x = 0;
    for (int i = 0; i < 5; i++) x = step(x);
    assert(x <= 2);
    return 0;
}
"""
SMTLIB = """(set-logic HORN)
; The counter's values.
(declare-fun inv (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (inv x))))
(assert (forall ((x Int)) (=> (and (inv x) (< x 3)) (inv (+ x 1)))))
(assert (forall ((x Int)) (=> (and (inv x) (> x 3)) false)))
(check-sat)
"""
TEXTS = {"lts": FSP, "pml": PROMELA, "smv": SMV, "nm": PRISM, "c": C, "smt2": SMTLIB}
LANGUAGES = {"lts": "fsp", "pml": "promela", "smv": "smv", "nm": "prism", "c": "c", "smt2": "smtlib"}


@pytest.fixture
def model(client, tmp_path):
    def opened(ending, text=None):
        text = TEXTS[ending] if text is None else text
        return Model(client, tmp_path / f"model.{ending}", text, LANGUAGES[ending])

    return opened


@pytest.mark.asyncio
@pytest.mark.parametrize("ending", TEXTS)
async def test_a_good_model_has_no_errors(model, ending):
    found = await model(ending).diagnostics()
    assert [d.message for d in found if d.severity == types.DiagnosticSeverity.Error] == []


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "ending, marked, typed, line",
    [
        ("lts", "USER = (put -> ¦USER", "-> ", 6),
        ("pml", "take(mine);¦", " mine = unknown_name;", 12),
        ("smv", "INVARSPEC NAME low := ¦c.n", "nothing & ", 14),
        ("nm", "[go] s<N -> ¦0.5", "half : (s'=0) + ", 8),
        ("c", "int x = ¦0", "y + ", 11),
        ("smt2", "(=> (= x 0) (¦inv", "in", 3),
    ],
)
async def test_errors_come_and_go_while_one_types(model, ending, marked, typed, line):
    it = model(ending)
    assert all(d.severity != types.DiagnosticSeverity.Error for d in await it.diagnostics())
    it.edit(marked, typed)
    found = [d for d in await it.diagnostics() if d.severity == types.DiagnosticSeverity.Error]
    assert found and found[0].range.start.line == line, found
    assert found[0].source == "suppose" and found[0].code
    # Names are still known, though the text cannot be read.
    assert await it.symbols()


@pytest.mark.asyncio
async def test_help_is_related_information(model):
    it = model("lts", "P = (a -> Q).\nQQ = (b -> QQ).\n||S = (P || QR).\n")
    found = await it.diagnostics()
    helps = [r.message for d in found for r in d.related_information or []]
    assert any(h.startswith("help: ") for h in helps), found


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "ending, marked, wanted",
    [
        ("lts", "0..¦N", ["constant", "value `3`", "How many requests may be open."]),
        ("lts", "when (¦i < N)", ["variable", "`R`"]),
        ("lts", "when (i > 0) ¦get", ["action", "uses"]),
        ("pml", "assert(¦ticket", ["byte ticket = 1", "values `0..255`", "The number of tickets."]),
        ("pml", "c!¦req", ["mtype"]),
        ("pml", "c!req(¦mine)", ["byte", "`0..255`"]),
        ("smv", "G c.¦n", ["variable", "values `0..7`", "how far it is"]),
        ("smv", "case ¦full", ["definition"]),
        ("nm", "[go] s<¦N", ["value `2`"]),
        ("nm", "s=N & ¦t", ["values `0..2`"]),
        ("nm", "[go] ¦calm", ["formula", "Nobody waits."]),
        ("c", "x = ¦step", ["int step(int x)", "Adds one, up to the limit."]),
        ("c", "assert(¦x", ["int", "-2147483648..2147483647"]),
        ("smt2", "(and (¦inv x) (<", ["predicate", "The counter's values."]),
        ("smv", "¦LTLSPEC", ["temporal logic"]),
    ],
)
async def test_hover(model, ending, marked, wanted):
    said = await model(ending).hover(marked)
    assert said is not None
    for piece in wanted:
        assert piece in said, said


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "ending, marked, definition, uses",
    [
        ("lts", "-> ¦COUNT[i+1]", "COUNT", 4),
        ("lts", "when (¦i < N)", "i", 5),
        ("lts", "|| ¦USER ||", "USER", 4),
        ("pml", "goto ¦again", "again", 2),
        ("pml", "cell.¦value", "value", 2),
        ("pml", "    ¦take(mine)", "take", 2),
        ("smv", "c : ¦counter", "counter", 2),
        ("smv", "LTLSPEC NAME safe := G c.¦n", "n", 8),
        ("nm", "right = ¦left", "left", 2),
        ("nm", "(s'=¦s+1)", "s", 9),
        ("c", "i < 5; ¦i++", "i", 3),
        ("c", "x < ¦LIMIT", "LIMIT", 2),
        ("smt2", "(< x 3)) (¦inv", "inv", 5),
    ],
)
async def test_definition_and_references(model, ending, marked, definition, uses):
    it = model(ending)
    found = await it.definition(marked)
    assert found.uri == it.uri and it.at(found.range) == definition
    places = await it.references(marked)
    assert len(places) == uses and all(it.at(p.range) == definition for p in places)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "ending, marked, new, count",
    [
        ("lts", "USER = (¦put", "insert", 3),
        ("pml", "c!req(¦mine)", "own", 5),
        ("smv", "c : ¦counter", "clock_of", 2),
        ("nm", "s=N & ¦t", "other", 2),
        ("c", "x = ¦step", "advance", 2),
        ("smt2", "(declare-fun ¦inv", "reach", 5),
    ],
)
async def test_rename(model, ending, marked, new, count):
    it = model(ending)
    await it.diagnostics()
    edit = await it.rename(marked, new)
    [(uri, edits)] = edit.changes.items()
    assert uri == it.uri and len(edits) == count and {e.new_text for e in edits} == {new}


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "ending, marked, new, why",
    [
        ("lts", "USER = (¦put", "Put", "small letter"),
        ("lts", "USER = (¦put", "get", "already the name"),
        ("pml", "c!req(¦mine)", "ticket", "already the name"),
        ("pml", "c!req(¦mine)", "do", "reserved word"),
        ("smv", "MODULE ¦main", "start", "begins with `main`"),
        ("nm", "s=N & ¦t", "s", "already the name"),
        ("c", "int ¦main(", "start", "begins with `main`"),
        ("c", "x = ¦step", "1x", "not a name"),
    ],
)
async def test_rename_is_refused_where_it_is_not_safe(model, ending, marked, new, why):
    it = model(ending)
    await it.diagnostics()
    with pytest.raises(Exception, match=why):
        await it.rename(marked, new)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "ending, names",
    [
        ("lts", ["N", "R", "BUFFER", "USER", "Order", "SYS"]),
        ("pml", ["ticket", "req", "ack", "Cell", "c", "cell", "take", "Client", "Server", "small"]),
        ("smv", ["counter", "main"]),
        ("nm", ["N", "calm", "left", "right", "done", "steps"]),
        ("c", ["LIMIT", "unknown", "step", "main"]),
        ("smt2", ["inv"]),
    ],
)
async def test_symbols(client, model, ending, names):
    it = model(ending)
    assert [s.name for s in await it.symbols()] == names
    found = await client.workspace_symbol_async(types.WorkspaceSymbolParams(query=names[-1]))
    assert any(s.name == names[-1] and s.location.uri == it.uri for s in found)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "ending, marked, has, has_not",
    [
        ("lts", "(BUFFER || ¦USER", ["USER", "Order", "BUFFER", "forall"], ["COUNT"]),
        ("pml", "    c!req(¦mine)", ["mine", "ticket", "timeout"], ["got"]),
        ("smv", "G c.¦n", ["n", "full", "mode"], ["MODULE"]),
        ("nm", "[go] ¦calm", ["calm", "s", "t", "N"], []),
        ("c", "return x + ¦1", ["x", "LIMIT", "step"], ["i"]),
        ("smt2", "(=> (= x 0) (¦inv", ["inv", "and"], []),
    ],
)
async def test_completion(model, ending, marked, has, has_not):
    found = await model(ending).complete(marked)
    for name in has:
        assert name in found, sorted(found)
    for name in has_not:
        assert name not in found


@pytest.mark.asyncio
@pytest.mark.parametrize("ending", TEXTS)
async def test_colours_are_in_the_order_of_the_text(client, model, ending):
    it = model(ending)
    document = types.TextDocumentIdentifier(it.uri)
    found = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
    assert len(found.data) % 5 == 0 and len(found.data) >= 50
    assert all(n >= 0 for n in found.data)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "ending, lens, claim, verdict",
    [
        ("lts", "check Order", "Order", "violated"),
        ("pml", "check small", "small", "holds"),
        ("pml", "check assertions", "assertions", "violated"),
        ("smv", "check low", "low", "violated"),
        ("smv", "check safe", "safe", "holds"),
        ("c", "check assertions", "assertions", "violated"),
    ],
)
async def test_a_lens_checks_a_claim(model, ending, lens, claim, verdict):
    it = model(ending)
    await it.diagnostics()
    lenses = await it.lenses()
    result = await it.command(lenses[lens].command)
    said = {c["name"]: c for c in result["claims"]}
    assert said[claim]["verdict"] == verdict, result["text"]
    assert said[claim]["certified"] or verdict == "holds"
    titles = " ".join(await it.lenses())
    assert verdict in titles
    found = [d for d in await it.diagnostics() if d.source == "suppose check"]
    if verdict == "violated":
        assert claim in found[0].message
        lenses = await it.lenses()
        run = await it.command(lenses["show the run"].command)
        assert "1." in run["text"] or "assert" in run["text"]
        # A result is about one text. After a change it is gone.
        it.edit("\n¦" if ending == "c" else "¦" + it.text[:3], " ")
        assert [d for d in await it.diagnostics() if d.source == "suppose check"] == []
    else:
        assert found == []


@pytest.mark.asyncio
@pytest.mark.parametrize("ending", ["lts", "pml", "smv", "nm"])
async def test_a_lens_simulates(model, ending):
    it = model(ending)
    await it.diagnostics()
    lenses = await it.lenses()
    walk = await it.command(lenses["simulate"].command)
    assert "   1. " in walk["text"] and walk["last_line"]


@pytest.mark.asyncio
async def test_all_claims_of_a_file_and_horn_clauses(model):
    it = model("smt2")
    await it.diagnostics()
    result = await it.command((await it.lenses())["check all"].command)
    assert result["last_line"] == "holds"


@pytest.mark.asyncio
async def test_a_check_can_be_cancelled(client, model):
    big = "byte " + ", ".join(f"x{i}" for i in range(8)) + ";\n"
    big += "".join(f"active proctype P{i}() {{ do :: x{i}++ od }}\n" for i in range(8))
    it = model("pml", big)
    await it.diagnostics()
    command = (await it.lenses())["check all"].command
    params = types.ExecuteCommandParams(command=command.command, arguments=command.arguments)
    request = asyncio.ensure_future(client.workspace_execute_command_async(params))
    for _ in range(PATIENCE * 20):
        tokens = list(client.progress_reports)
        if tokens:
            break
        await asyncio.sleep(0.05)
    client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token=tokens[0]))
    with pytest.raises(Exception, match="cancelled"):
        await asyncio.wait_for(request, PATIENCE)


@pytest.mark.asyncio
async def test_texts_that_are_not_saved_are_included(client, tmp_path):
    header = Model(client, tmp_path / "shared.h", "byte tickets;\n", "promela")
    main = tmp_path / "main.pml"
    it = Model(client, main, '#include "shared.h"\nactive proctype P() { tickets = 1; turns = 2 }\n', "promela")
    found = await it.diagnostics()
    assert any("turns" in d.message for d in found)
    place = await it.definition("{ ¦tickets")
    assert place.uri == header.uri
    header.edit("byte tickets¦", ", turns")
    for _ in range(PATIENCE * 20):
        if not [d for d in await it.diagnostics() if d.severity == types.DiagnosticSeverity.Error]:
            break
        await asyncio.sleep(0.05)
    else:
        raise AssertionError("the change of the header was not seen")
    assert (await it.definition("; ¦turns")).uri == header.uri
    assert len(await header.references("byte ¦tickets")) == 2
    with pytest.raises(Exception, match="include"):
        await it.rename("proctype ¦P", "Q")


@pytest.mark.asyncio
async def test_positions_count_utf_16(model):
    it = model("lts", "// 𝄞𝄞\nP = (a -> /* 𝄞 */ bee -> P).\n")
    assert len(await it.references("*/ ¦bee")) == 1
    it.edit("bee¦ ->", "x")
    found = await it.definition("*/ b¦eex")
    assert it.at(found.range) == "beex"


@pytest.mark.asyncio
@pytest.mark.parametrize("text", ["", "\x00", "(((((", "P = (a -> [[[{{{", "𝄞" * 2000, "}" * 3000, '"' * 99, "/*"])
async def test_broken_texts_do_no_harm(client, tmp_path, text):
    for ending in TEXTS:
        it = Model(client, tmp_path / f"broken.{ending}", text, LANGUAGES[ending], saved=False)
        await it.diagnostics()
        await it.symbols()
        await it.lenses()
        place = types.TextDocumentPositionParams(types.TextDocumentIdentifier(it.uri), types.Position(5, 900))
        await client.text_document_completion_async(types.CompletionParams(place.text_document, place.position))
        assert await client.text_document_hover_async(types.HoverParams(place.text_document, place.position)) is None


@pytest.mark.asyncio
async def test_what_is_not_there_is_said(client, tmp_path):
    nowhere = types.TextDocumentIdentifier((tmp_path / "none.lts").as_uri())
    with pytest.raises(Exception, match="not open"):
        await client.text_document_hover_async(types.HoverParams(nowhere, types.Position(0, 0)))
    with pytest.raises(Exception, match="not open"):
        params = types.ExecuteCommandParams("suppose.check", [{"uri": nowhere.uri}])
        await client.workspace_execute_command_async(params)


