"""Asks Storm, in exact arithmetic, about models and properties.

A line of standard input is `{"model": FILE, "properties": [TEXT, ...]}`; the answer is a line
`answer:{"states": n, "choices": n, "transitions": n, "values": [[VALUE, ...], ...]}` with a value
for every initial state, `null` for a property that Storm does not take.
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


for line in sys.stdin:
    question = json.loads(line)
    program = stormpy.parse_prism_program(question["model"])
    asked = [stormpy.parse_properties(text, program)[0] for text in question["properties"]]
    options = stormpy.BuilderOptions([it.get_raw_formula() for it in asked])
    options.set_build_all_labels()
    options.set_build_all_reward_models()
    model = stormpy.build_model[stormpy.Rational](program, options=options)
    answer = {
        "states": model.nr_states,
        "choices": model.nr_choices,
        "transitions": model.nr_transitions,
        "values": [values(model, it) for it in asked],
    }
    print("answer:" + json.dumps(answer), flush=True)
