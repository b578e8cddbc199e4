#!/usr/bin/env python3
"""Measures `suppose check` beside Storm on a folder of PRISM models with property files.

    scripts/prism-storm.py FOLDER [--binary target/release/suppose] [--only TEXT] [--limit 60] [--memory 3]

FOLDER is laid out like github.com/prismmodelchecker/prism-benchmarks: a model and the files of its
properties in one folder. Values for open constants are in INSTANCES below, by family. Needs stormpy
(Python of .test-tools). Nothing of the models is kept.

How it is measured. CPU time, user and system. Ours is that of the whole process: reading, exploring,
deciding, and checking the evidence. Storm's is that of a forked child that has stormpy loaded
already: parsing, building and checking, without the start of Python. Every row is one property of
one instance; both run one after the other. Values must agree within Storm's precision.
"""

import argparse
import json
import math
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile

import stormpy

INSTANCES = {
    "brp": [{"N": 16, "MAX": 2}, {"N": 64, "MAX": 5}],
    "egl": [{"N": 5, "L": 2}, {"N": 5, "L": 6}],
    "nand": [{"N": 20, "K": 1}, {"N": 20, "K": 4}],
    "bluetooth": [],
    "firewire": [{"delay": 3}, {"delay": 36}],
    "firewire_abst": [{"delay": 3}, {"delay": 36}],
    "firewire_dl": [{"delay": 3, "deadline": 200}],
    "wlan_dl": [{"deadline": 80}],
    "zeroconf": [
        {"N": 20, "K": 2, "reset": "false"},
        {"N": 1000, "K": 4, "reset": "true"},
        {"N": 1000, "K": 8, "reset": "false"},
    ],
    "zeroconf_dl": [
        {"N": 1000, "K": 1, "reset": "false", "deadline": 10},
        {"N": 1000, "K": 1, "reset": "true", "deadline": 50},
    ],
}
# Too large to be explored state by state within the limits.
SKIPPED = {"herman17", "herman19", "herman21", "wlan_dl4", "wlan_dl5", "wlan_dl6", "csma3_6", "csma4_4", "csma4_6"}


def rows(folder, only):
    for model in sorted(folder.rglob("*")):
        if model.suffix not in (".nm", ".pm", ".prism") or model.stem in SKIPPED:
            continue
        family = model.parent.name
        for properties in sorted(model.parent.glob("*.pctl")):
            for constants in INSTANCES.get(family, [{}]):
                name = f"{model.stem} {properties.stem} " + ",".join(f"{k}={v}" for k, v in constants.items())
                if only is None or only in name:
                    yield name.strip(), model, properties, constants


def used(what):
    usage = resource.getrusage(what)
    return usage.ru_utime + usage.ru_stime


def fill(text, constants):
    """The text with values for its open constants."""
    for name, value in constants.items():
        text = re.sub(rf"(const\s+(?:int|bool|double)\s+{name})\s*;", rf"\1 = {value};", text)
    return text


def of_constants(text, constants):
    """Only those that the text mentions."""
    return {k: v for k, v in constants.items() if k in text}


def storm(model, properties, constants, limit, memory):
    """Value, states and CPU seconds, in a child; or why not."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        signal.alarm(limit)
        resource.setrlimit(resource.RLIMIT_AS, (memory << 30, memory << 30))
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(1, 2)
        try:
            text = "\n".join(l.split("//")[0] for l in properties.read_text().splitlines())
            filled = pathlib.Path(tempfile.mkdtemp(), model.name)
            filled.write_text(fill(model.read_text(), constants))
            begin = used(resource.RUSAGE_SELF)
            program = stormpy.parse_prism_program(str(filled))
            asked = stormpy.parse_properties(fill(text, constants), program)
            built = stormpy.build_model(program, asked)
            result = stormpy.model_checking(built, asked[0])
            if hasattr(result, "get_value"):
                value = max(result.get_value(s) for s in built.initial_states)
            else:
                truth = result.get_truth_values_vector()
                value = all(truth.get(s) for s in built.initial_states)
            cpu = used(resource.RUSAGE_SELF) - begin
            answer = [str(value), built.nr_states, cpu]
        except BaseException as error:
            answer = [f"{type(error).__name__}: {error}"[:200]]
        os.write(write, json.dumps(answer).encode())
        os._exit(0)
    os.close(write)
    answer = os.read(read, 1 << 16)
    os.close(read)
    os.waitpid(child, 0)
    return json.loads(answer) if answer else ["stopped"]


def ours(binary, model, properties, constants, limit, memory):
    given = of_constants(model.read_text() + properties.read_text(), constants)
    command = [binary, "--format", "json", "--quiet", "check", str(model), "--property-file", str(properties)]
    command += ["--timeout", f"{limit}s", "--memory", f"{memory}GiB"]
    if given:
        command += ["--const", ",".join(f"{k}={v}" for k, v in given.items())]
    before = used(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True)
    cpu = used(resource.RUSAGE_CHILDREN) - before
    try:
        document = json.loads(done.stdout)
    except ValueError:
        return [(done.stderr or done.stdout)[-300:]]
    if "claims" not in document:
        return [json.dumps(document)[:300]]
    claim = document["claims"][0] if document["claims"] else None
    if claim is None or claim["verdict"] == "unknown":
        return [json.dumps(claim)[:200] if claim else json.dumps(document.get("warnings"))[:200]]
    values = document["markov"]["values"]
    states = claim.get("explored", {}).get("states") or claim.get("states")
    if "=?" not in properties.read_text():
        return ["True" if claim["verdict"] == "holds" else "False", states, cpu]
    return [values[0]["upper_decimal"], states, cpu, values[0]["lower_decimal"], values[0]["upper"] == values[0]["lower"]]


def number(text):
    return math.inf if text in ("infinity", "inf") else float(text)


def agree(a, b):
    if a in ("True", "False") or b in ("True", "False"):
        return a == b
    a, b = number(a), number(b)
    return a == b or abs(a - b) <= 1e-4 * max(abs(a), abs(b), 1e-4)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--binary", default="target/release/suppose")
    parser.add_argument("--only")
    parser.add_argument("--limit", type=int, default=60)
    parser.add_argument("--memory", type=int, default=3)
    args = parser.parse_args()
    print("| model, property | states | Suppose | Storm | ratio | value |\n|---|--:|--:|--:|--:|---|", flush=True)
    ratios, problems, over = [], [], []
    for name, model, properties, constants in rows(args.folder, args.only):
        their = storm(model, properties, constants, args.limit, args.memory)
        our = ours(args.binary, model, properties, constants, args.limit, args.memory)
        cell = lambda answer: f"{answer[2]:.2f}" if len(answer) > 1 else "—"
        ratio = ""
        if len(their) > 1 and len(our) > 1:
            if not agree(their[0], our[0]):
                problems.append(f"{name}: Storm says {their[0]}, Suppose {our[0]}")
            ratios.append(max(our[2], 0.001) / max(their[2], 0.001))
            ratio = f"{ratios[-1]:.2f}"
            if ratios[-1] > 3:
                over.append(name)
        elif len(our) == 1:
            problems.append(f"{name}: not decided: {our[0]}")
        states = their[1] if len(their) > 1 else ""
        value = our[0] if len(our) > 1 else ""
        value += " exact" if len(our) > 4 and our[4] else ""
        print(f"| {name} | {states} | {cell(our)} | {cell(their)} | {ratio} | {value} |", flush=True)
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"\n{len(ratios)} rows decided by both; geometric mean of the ratios {mean:.2f}, largest {max(ratios):.2f}")
        print(f"above 3: {over}")
    for problem in problems:
        print(f"- {problem}")
    return 1 if any("Storm says" in p for p in problems) else 0


if __name__ == "__main__":
    sys.exit(main())
