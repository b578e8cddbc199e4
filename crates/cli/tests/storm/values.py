"""Asks Storm, in exact arithmetic, about models and properties.

A line of standard input is `{"model": FILE, "properties": [TEXT, ...]}`; the answer is a line
`answer:{"states": n, "choices": n, "transitions": n, "values": [[VALUE, ...], ...]}` with a value
for every initial state, `null` for a property that Storm does not take. A file that ends in `.drn`
is a system of states, any other a PRISM model. A question that takes Storm more than `SECONDS` of
processor time is answered with `answer:null`: on some models its exact iteration does not end.
"""

import json
import os
import signal
import sys

import stormpy

SECONDS = 10


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


def answer(question):
    model, asked = read(question["model"], question["properties"])
    return {
        "states": model.nr_states,
        "choices": model.nr_choices,
        "transitions": model.nr_transitions,
        "values": [values(model, it) for it in asked],
    }


# Each question has a process of its own, which the timer ends: nothing else stops Storm's own code.
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        print("answer:" + json.dumps(answer(json.loads(line))), flush=True)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF:
        print("answer:null", flush=True)
    elif status != 0:
        sys.exit("the question failed: " + line)
