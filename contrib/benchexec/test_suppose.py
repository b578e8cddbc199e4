"""Tests the tool-info module without BenchExec: what it needs of it is put in its place.

Run with `python3 test_suppose.py PROGRAM`, where PROGRAM is the binary `suppose`.
"""

import collections
import importlib
import subprocess
import sys
import tempfile
import types
from pathlib import Path

Task = collections.namedtuple("Task", "input_files_or_identifier options")
Limits = collections.namedtuple("Limits", "cputime memory")
Code = collections.namedtuple("Code", "value")
Run = collections.namedtuple("Run", "output exit_code was_timeout")


def stub():
    """The parts of BenchExec that the module uses."""
    template = types.ModuleType("benchexec.tools.template")

    class BaseTool2:
        def _version_from_tool(self, executable):
            text = subprocess.run([executable, "--version"], capture_output=True, text=True, check=True)
            return text.stdout.strip().split(" ")[-1]

    template.BaseTool2 = BaseTool2
    result = types.ModuleType("benchexec.result")
    result.RESULT_TRUE_PROP = "true"
    result.RESULT_FALSE_PROP = "false"
    result.RESULT_UNKNOWN = "unknown"
    result.RESULT_ERROR = "ERROR"
    package = types.ModuleType("benchexec")
    tools = types.ModuleType("benchexec.tools")
    package.result, package.tools, tools.template = result, tools, template
    for module in (package, result, tools, template):
        sys.modules[module.__name__] = module


MODELS = [
    ("holds.c", "int main(void) { return 0; }\n", {"language": "C", "data_model": "ILP32"}, "true"),
    (
        "violated.c",
        "extern void __VERIFIER_assert(int);\nint main(void) { __VERIFIER_assert(0); return 0; }\n",
        {"language": "C", "data_model": "LP64"},
        "false(unreach-call)",
    ),
    ("end.pml", "chan c = [0] of { byte };\nactive proctype P() { c!1 }\n", None, "false(end-states)"),
    ("broken.lts", "P = (a ->\n", None, "ERROR (input)"),
]


def main(program):
    try:
        importlib.import_module("benchexec.tools.template")
    except ImportError:
        stub()
    sys.path.insert(0, str(Path(__file__).parent))
    tool = importlib.import_module("suppose").Tool()
    assert tool.name() == "Suppose"
    assert tool.version(program).count(".") == 2, tool.version(program)
    with tempfile.TemporaryDirectory() as folder:
        for name, text, options, expected in MODELS:
            path = Path(folder) / name
            path.write_text(text)
            line = tool.cmdline(program, ["--no-certify"], Task([str(path)], options), Limits(60, 10**9))
            assert ("--data-model" in line) == (options is not None), line
            assert "57s" in line and "900000000B" in line, line
            ran = subprocess.run(line, capture_output=True, text=True)
            output = (ran.stdout + ran.stderr).splitlines() if not ran.stdout else ran.stdout.splitlines()
            found = tool.determine_result(Run(output, Code(ran.returncode), False))
            assert found == expected, (name, found, expected, ran)
            if expected == "true":
                assert tool.get_value_from_output(output, "memory") is None
                assert tool.get_value_from_output(output, "engine"), output
    for last, expected in [
        ("unknown(timeout)", "TIMEOUT"),
        ("unknown(memory)", "OUT OF MEMORY"),
        ("unknown(unsupported)", "unknown(unsupported)"),
        ("unknown(certificate rejected)", "ERROR (certificate rejected)"),
        ("violated(my (odd) claim)", "false(my (odd) claim)"),
        ("nothing", "ERROR"),
    ]:
        found = tool.determine_result(Run(["x", last, ""], Code(99), False))
        assert found == expected, (last, found)
    assert tool.determine_result(Run([], Code(9), True)) == "TIMEOUT"
    print("ok")


if __name__ == "__main__":
    main(sys.argv[1])
