#!/usr/bin/env python3
"""How much work a keystroke is for `suppose lsp`, in texts of 10,000 lines.

    scripts/keystroke.py target/release/suppose

Types 50 letters in the middle of a generated text of each language. After each letter it asks for what an editor asks for:
completion, the colours of one screen, symbols. The first number is the processor time of the answering thread for one letter, in
milliseconds; the second the processor time to read the text once by its front-end, which happens on another thread
when typing pauses.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

LINES = 10_000
LETTERS = 50
TICK = 1000 / os.sysconf("SC_CLK_TCK")


def repeated(head, part, tail, lines_of_part):
    """A text of some 10,000 lines: a head, numbered copies of a part, a tail."""
    count = (LINES - head.count("\n") - tail.count("\n")) // lines_of_part
    return head + "".join(part.replace("@", str(i)) for i in range(count)) + tail


TEXTS = {
    "lts": repeated("const N = 3\n", "// Process @.\nP@ = IDLE,\nIDLE = (go[i:0..N] -> BUSY[i]),\nBUSY[i:0..N] = (done[i] -> IDLE).\n", "||SYS = (P0 || P1 || P2).\n", 4),
    "pml": repeated("byte x;\nactive proctype Main() { x = 1 }\n", "proctype P@() {\n    byte y;\n    do\n    :: y < 3 -> y++; x = y\n    :: else -> break\n    od;\n    assert(x < 9)\n}\n", "", 8),
    "smv": repeated("MODULE main\nVAR\n  x0 : 0..3;\n", "DEFINE d@ := x0 + @ > 3;\nINVARSPEC x0 <= 3 | d@;\n", "", 2),
    "nm": repeated("mdp\nconst int N = 3;\nmodule m\n  s : [0..N] init 0;\n", "  [a@] s<N -> 0.5 : (s'=s+1) + 0.5 : (s'=0);\n", "endmodule\n", 1),
    "c": repeated("#include <assert.h>\n", "int f@(int x) {\n    int y = x;\n    while (y < 3) y = y + 1;\n    return y;\n}\n", "int main(void) {\n    assert(f0(1) <= 3);\n    return 0;\n}\n", 5),
    "smt2": repeated("(set-logic HORN)\n", "(declare-fun p@ (Int) Bool)\n(assert (forall ((x Int)) (=> (= x @) (p@ x))))\n", "(check-sat)\n", 2),
}
LANGUAGES = {"lts": "fsp", "pml": "promela", "smv": "smv", "nm": "prism", "c": "c", "smt2": "smtlib"}


class Server:
    def __init__(self, program):
        self.process = subprocess.Popen([program, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0
        self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        self.tell("initialized", {})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def receive(self):
        length = 0
        while (line := self.process.stdout.readline().strip()) != b"":
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))

    def ask(self, method, params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while (answer := self.receive()).get("id") != self.number:
            pass
        assert "error" not in answer, answer
        return answer["result"]

    def wait_for_diagnostics(self, version):
        """Waits until the text is read; true if it has no error."""
        while True:
            message = self.receive()
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"].get("version") == version:
                return [d["message"] for d in message["params"]["diagnostics"] if d.get("severity") == 1]

    def time(self, of_main):
        """Processor time in milliseconds: of the answering thread, or of all."""
        pid = self.process.pid
        path = f"/proc/{pid}/task/{pid}/stat" if of_main else f"/proc/{pid}/stat"
        fields = Path(path).read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) * TICK


def measure(program, ending, folder):
    text = TEXTS[ending]
    server = Server(program)
    path = folder / f"model.{ending}"
    path.write_text(text)
    uri = path.as_uri()
    before = server.time(False)
    server.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": LANGUAGES[ending], "version": 1, "text": text}})
    errors = server.wait_for_diagnostics(1)
    reading = server.time(False) - before
    # In a comment in the middle, so that the text stays right.
    line = LINES // 2
    mark = {"smv": "-- ", "smt2": "; "}.get(ending, "// ")
    document = {"uri": uri}
    version, column = 2, 0
    before = server.time(True)
    for letter in "\n" + mark + "w" * (LETTERS - 1 - len(mark)):
        at = {"line": line, "character": column}
        change = {"range": {"start": at, "end": at}, "text": letter}
        if letter == "\n":
            change["range"] = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 0}}
        else:
            column += 1
        server.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]})
        version += 1
        place = {"line": line, "character": column}
        server.ask("textDocument/completion", {"textDocument": document, "position": place})
        server.ask("textDocument/semanticTokens/range", {"textDocument": document, "range": {"start": {"line": line - 30, "character": 0}, "end": {"line": line + 30, "character": 0}}})
        server.ask("textDocument/documentSymbol", {"textDocument": document})
    letters = (server.time(True) - before) / LETTERS
    server.ask("shutdown", None)
    server.tell("exit", None)
    server.process.wait()
    return text.count("\n"), letters, reading, errors


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(f"{'':6} {'lines':>7} {'a letter':>9} {'reading':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for ending in TEXTS:
            lines, letters, reading, errors = measure(sys.argv[1], ending, Path(folder))
            note = f"  {errors[0]}" if errors else ""
            print(f"{ending:6} {lines:7} {letters:6.1f} ms {reading:6.0f} ms{note}")


if __name__ == "__main__":
    main()
