#!/usr/bin/env python3
"""Asks Storm what it says of the PRISM examples and writes examples/prism/expected.toml anew.

    scripts/prism-expected.py

Which files there are, their constants, specifications, components, formulas and whether a system
conforms stay as they are in the present expected.toml; sizes and probabilities are measured again.
Whether a system conforms is stated by hand: Storm does not compute simulations. Needs stormpy and
Python 3.11.

How it is measured. Sizes are those of the sparse model: reachable states, choices, and transitions,
of which a state without a choice gets one of its own, back to itself; `deadlocks` says how many
those are. A `system` block is left out, for Storm does not build it; hiding does not change sizes.
A component's states are those of a program with its modules alone. A value is computed with exact
arithmetic: the greatest probability over all resolutions of the choices.
"""

import pathlib
import re
import tempfile
import tomllib
from fractions import Fraction

import stormpy

ROOT = pathlib.Path(__file__).resolve().parent.parent / "examples" / "prism"
HEADER = """\
# What every engine must find, by file, and what Storm (stormpy {version}) counts and computes.
# Sizes and values are written by scripts/prism-expected.py, which says how.
"""


def text_of(path):
    """The program without its system block."""
    text = path.read_text()
    return re.sub(r"^system\b.*?^endsystem\n?", "", text, flags=re.S | re.M)


def parse(text, constants):
    """The program with values for its open constants."""
    for name, value in constants.items():
        text = re.sub(rf"^(const \w+ {name});", rf"\1 = {value};", text, flags=re.M)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "model.nm")
        path.write_text(text)
        return stormpy.parse_prism_program(str(path))


def build(program, exact=False):
    """The sparse model of a program, with all labels."""
    options = stormpy.BuilderOptions()
    options.set_build_all_labels()
    kind = stormpy.Rational if exact else float
    return stormpy.build_model[kind](program, options=options)


def sizes(model):
    """States, choices, transitions and deadlocks."""
    labels = model.labeling
    dead = 0
    if "deadlock" in labels.get_labels():
        dead = labels.get_states("deadlock").get_number_of_set_bits()
    return {
        "states": model.nr_states,
        "choices": model.nr_choices,
        "transitions": model.nr_transitions,
        "deadlocks": dead,
    }


def alone(program, modules):
    """The states of a program with these modules only."""
    wanted = {name.strip() for name in modules.split(",")}
    known = {module.name for module in program.modules}
    if not wanted <= known:
        raise SystemExit(f"no module {wanted - known}")
    text = re.sub(r"^(label|formula).*?;\n", "", str(program), flags=re.M)
    keep = lambda found: found.group(0) if found.group(1) in wanted else ""
    text = re.sub(r"^module\s+(\w+).*?^endmodule\n", keep, text, flags=re.S | re.M)
    return build(parse(text, {})).nr_states


def measure_property(program, model, formula):
    """The value and verdict of `P<=p [ ... ]`."""
    found = re.fullmatch(r"P(<=|<)\s*(\S+)\s*(\[.*\])", formula)
    question = stormpy.parse_properties(f"Pmax=? {found.group(3)}", program)[0]
    result = stormpy.model_checking(model, question)
    value = Fraction(str(result.get_value(model.initial_states[0])))
    bound = Fraction(found.group(2))
    holds = value <= bound if found.group(1) == "<=" else value < bound
    return {"formula": formula, "value": str(value), "verdict": "holds" if holds else "violated"}


def measure(check):
    """The entry with figures measured anew."""
    constants = check.get("set", {})
    program = parse(text_of(ROOT / check["file"]), constants)
    check["storm"] = sizes(build(program))
    if "spec" in check:
        check["specification"] = sizes(build(parse(text_of(ROOT / check["spec"]), {})))
    names = check.get("components", {})
    check["components"] = {name: alone(program, name) for name in names}
    formulas = [entry["formula"] for entry in check.get("properties", [])]
    model = build(program, exact=True) if formulas else None
    check["properties"] = [measure_property(program, model, formula) for formula in formulas]
    return check


def table(name, entries):
    lines = [f"[check.{name}]"]
    for key, value in entries.items():
        quoted = key if re.fullmatch(r"\w+", key) else f'"{key}"'
        lines.append(f"{quoted} = {value}")
    return lines


def write(check):
    lines = ["[[check]]", f'file = "{check["file"]}"']
    if check.get("set"):
        inner = ", ".join(f"{name} = {value}" for name, value in check["set"].items())
        lines.append(f"set = {{ {inner} }}")
    for key in ("spec", "verdict"):
        if key in check:
            lines.append(f'{key} = "{check[key]}"')
    for name in ("storm", "specification", "components"):
        if check.get(name):
            lines += table(name, check[name])
    for entry in check["properties"]:
        lines.append("[[check.properties]]")
        lines.append(f"formula = '{entry['formula']}'")
        lines.append(f'value = "{entry["value"]}"')
        lines.append(f'verdict = "{entry["verdict"]}"')
    return "\n".join(lines) + "\n"


def main():
    path = ROOT / "expected.toml"
    checks = tomllib.loads(path.read_text())["check"]
    parts = [HEADER.format(version=stormpy.__version__)]
    parts += [write(measure(check)) for check in checks]
    path.write_text("\n".join(parts))


if __name__ == "__main__":
    main()
