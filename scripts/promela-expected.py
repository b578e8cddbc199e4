#!/usr/bin/env python3
"""Asks real SPIN what it says of the PROMELA examples and writes the expected.toml files anew.

    scripts/promela-expected.py                 all folders
    scripts/promela-expected.py constructs ...  these folders of examples/promela
    scripts/promela-expected.py --print FILE NAME=VALUE ...   one entry, to standard output

In `constructs` there is one entry for every file. Elsewhere the entries are those of the present
expected.toml: its file, set and component stay, its verdicts and figures are measured again. A
verdict that SPIN does not reach within 60 s of processor time and 4 GB stays as it was, and a comment says that it is
stated by hand. Needs spin, gcc and Python 3.11.

How it is measured. `states` are the stored states of `spin -o1 -o2 -o3 -a`, `gcc -DNOREDUCE -DNOCLAIM`,
`pan -c0`: no statement merging, no dataflow optimisation, no reduction, no claim. With -c0 pan goes
on after an error: past a failed assertion as if it were `skip`, nowhere from an invalid end state.
`reduced` is the same of plain `spin -a` and `gcc`. `product` is like `states`, with the claim.
"""

import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent / "examples" / "promela"
SECONDS = 60
SMALL = 100_000
MEGABYTES = 4000
KINDS = [
    ("invalid array index", "error"),
    ("assertion violated", "assertion"),
    ("invalid end state", "end-state"),
    ("end state in claim reached", "claim"),
    ("claim violated", "claim"),
    ("event_trace error", "trace"),
    ("non-progress", "progress"),
]


class Refused(Exception):
    """spin or gcc does not take the program."""


class Model:
    """A program with values for its constants, in a folder of its own."""

    def __init__(self, path, constants, folder, quick):
        # Small programs take longer to compile than to run.
        self.level = "-O0" if quick else "-O2"
        self.folder = pathlib.Path(folder)
        self.defines = [f"-D{name}={value}" for name, value in constants.items()]
        self.name = path.name
        for other in path.parent.iterdir():
            if other.suffix in (".pml", ".h"):
                (self.folder / other.name).write_bytes(other.read_bytes())
        self.built = {}

    def pan(self, spin, gcc, options):
        """Builds pan (once for each way to build it) and runs it; its output, or none if cut off."""
        key = (tuple(spin), tuple(gcc))
        if key not in self.built:
            made = self.run(["spin", *self.defines, *spin, "-a", self.name])
            if made.returncode != 0 or "Error:" in made.stdout or not (self.folder / "pan.c").exists():
                raise Refused(first_error(made.stdout))
            pan = f"pan{len(self.built)}"
            made = self.run(["gcc", self.level, "-w", f"-DMEMLIM={MEGABYTES}", "-DVECTORSZ=16384", *gcc, "-o", pan, "pan.c"])
            if made.returncode != 0:
                raise Refused("gcc does not compile what spin makes of it")
            self.built[key] = pan
        return self.run([f"./{self.built[key]}", *options], SECONDS)

    def run(self, command, limit=None):
        def restrain():
            # Time of the processor, not of the clock: the answer must not depend on the load.
            if limit:
                resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))

        result = subprocess.run(
            command,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            preexec_fn=restrain,
            check=False,
        )
        cut_off = result.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
        return None if cut_off else result


def first_error(output):
    """What spin complains about, without the place."""
    for line in output.splitlines():
        found = re.search(r"(?:Error|error): (.*)", line) or re.search(r"^spin: (.*)", line)
        if found:
            return re.sub(r"\s+", " ", found.group(1)).strip()
    return "no message"


def complete(result):
    """Did pan look at everything?"""
    if result is None:
        return False
    if "states, stored" not in result.stdout:
        return False
    return not re.search("max search depth too small|out of memory|memory limit|VECTORSZ|aborting", result.stdout)


def stored(result):
    if not complete(result):
        return None
    found = re.search(r"^\s*(\S+) states, stored", result.stdout, re.M)
    return int(float(found.group(1))) if found else None


def problem(result):
    """The first error of a run: its kind and its text."""
    if result.returncode < 0:
        return "error", "pan dies."
    found = re.search(r"^pan:1: (.*?) \(at depth", result.stdout, re.M)
    if not found:
        return None, ""
    text = found.group(1)
    for words, kind in KINDS:
        if words in text:
            return kind, text
    return "error", text


PLAIN = ["-o1", "-o2", "-o3"]


def measure(path, constants, depth):
    """The verdicts and figures of one program. A verdict of None was not reached."""
    with tempfile.TemporaryDirectory() as folder:
        model = Model(path, constants, folder, depth <= SMALL)
        text = path.read_text()
        claims = re.findall(r"^\s*ltl\s+(\w+)", text, re.M)
        never = re.search(r"^\s*never\b", text, re.M) is not None
        trace = re.search(r"^\s*(no)?trace\b", text, re.M) is not None
        gcc = ["-DNOREDUCE"] + (["-DNOCLAIM"] if claims or never else [])
        limit = [f"-m{depth}"]
        verdicts, figures, notes = {}, {}, []

        def verdict(name, kinds, result):
            kind, what = problem(result) if result else (None, "")
            if kind in ("error", "trace"):
                verdicts[kind] = "violated"
                notes.append(what)
            elif kind in kinds:
                verdicts[name] = "violated"
            else:
                verdicts[name] = "holds" if complete(result) else None

        first = model.pan(PLAIN, gcc, limit + ["-E"])
        verdict("assertion", ("assertion",), first)
        # What was too long once is not tried again.
        whole = model.pan(PLAIN, gcc, limit + ["-A"]) if first else None
        verdict("end-state", ("end-state",), whole)
        figures["states"] = stored(model.pan(PLAIN, gcc, limit + ["-c0"]) if whole else None)
        reduced = model.pan([], gcc[1:], limit + ["-c0"])
        figures["reduced"] = stored(reduced)
        if figures["reduced"] is None:
            notes.append("pan of plain spin -a does not finish either.")
        for claim in claims or ([None] if never else []):
            which = ["-N", claim] if claim else []
            run = model.pan(PLAIN, ["-DNOREDUCE"], limit + which + ["-E"])
            if verdicts.get("assertion") == "violated":
                raise SystemExit(f"{path.name}: a claim and a failing assertion cannot be told apart")
            verdict(claim or "never", ("assertion", "claim"), run)
            if len(claims) > 1:
                continue
            figures["product"] = stored(model.pan(PLAIN, ["-DNOREDUCE"], limit + which + ["-c0"]))
        if trace:
            figures["product"] = figures.pop("states")
        return verdicts, figures, notes


def entry(path, given, depth):
    """One [[check]] as text."""
    lines = ["[[check]]", f'file = "{path.name}"']
    constants = given.get("set", {})
    if constants:
        pairs = ", ".join(f"{name} = {value}" for name, value in constants.items())
        lines.append(f"set = {{ {pairs} }}")
    if "component" in given:
        lines.append(f'component = "{given["component"]}"')
    try:
        verdicts, figures, notes = measure(path, constants, depth)
    except Refused as refusal:
        message = str(refusal).replace("\\", "\\\\").replace('"', '\\"')
        return "\n".join([*lines, "refused-by-spin = true", f"# {message}"]) + "\n"
    before = given.get("verdicts", {})
    lines.append("[check.verdicts]")
    for name, found in verdicts.items():
        if found:
            lines.append(f'{name} = "{found}"')
        elif name in before:
            lines.append(f'{name} = "{before[name]}"')
            notes.append(f"{name}: stated by hand; SPIN did not get there in {SECONDS} s and {MEGABYTES} MB.")
    lines.append("[check.spin]")
    lines += [f"{name} = {count}" for name, count in figures.items() if count is not None]
    lines += [f"# {note}" for note in dict.fromkeys(notes)]
    return "\n".join(lines) + "\n"


def regenerate(folder):
    target = folder / "expected.toml"
    if folder.name == "constructs":
        entries = [{"file": path.name} for path in sorted(folder.glob("*.pml"))]
        depth = SMALL
    else:
        entries = tomllib.loads(target.read_text())["check"]
        depth = 10_000_000
    head = "# What every engine must find, by file and size, and what SPIN 6.5.2 counts.\n"
    head += "# Written by scripts/promela-expected.py, which says how.\n"
    parts = [head]
    for given in entries:
        print(folder.name, given["file"], given.get("set", ""), flush=True)
        parts.append(entry(folder / given["file"], given, depth))
    target.write_text("\n".join(parts))


def main(arguments):
    if arguments[:1] == ["--print"]:
        path = pathlib.Path(arguments[1]).resolve()
        constants = dict(pair.split("=", 1) for pair in arguments[2:])
        print(entry(path, {"set": constants}, SMALL))
        return
    names = arguments or sorted(path.name for path in ROOT.iterdir() if path.is_dir())
    for name in names:
        regenerate(ROOT / name)


if __name__ == "__main__":
    main(sys.argv[1:])
