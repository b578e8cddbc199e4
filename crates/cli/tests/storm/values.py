"""Asks Storm, in exact arithmetic, about models and properties.

A line of standard input is `{"model": FILE, "properties": [TEXT, ...]}`; the answer is a line
`answer:{"states": n, "choices": n, "transitions": n, "values": [[VALUE, ...], ...]}` with a value
for every initial state, `null` for a property that Storm does not take. A file that ends in `.drn`
is a system of states, any other a PRISM model.
"""

import json
import sys

import stormpy


def values(model, asked):
    try:
        result = stormpy.model_checking(model, asked)
        return [str(result.get_value(state)) for state in model.initial_states]
    except Exception:
        return None


def read(file, properties):
    if file.endswith(".drn"):
        asked = [stormpy.parse_properties(text)[0] for text in properties]
        return stormpy.build_model_from_drn[stormpy.Rational](file), asked
    program = stormpy.parse_prism_program(file)
    asked = [stormpy.parse_properties(text, program)[0] for text in properties]
    options = stormpy.BuilderOptions([it.get_raw_formula() for it in asked])
    options.set_build_all_labels()
    options.set_build_all_reward_models()
    return stormpy.build_model[stormpy.Rational](program, options=options), asked


for line in sys.stdin:
    question = json.loads(line)
    model, asked = read(question["model"], question["properties"])
    answer = {
        "states": model.nr_states,
        "choices": model.nr_choices,
        "transitions": model.nr_transitions,
        "values": [values(model, it) for it in asked],
    }
    print("answer:" + json.dumps(answer), flush=True)
