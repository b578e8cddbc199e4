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
# A process answers so many questions: Storm does not give back all memory.
QUESTIONS = 500


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


class Worker:
    """A process that answers questions one after the other. A timer ends it on one that takes too long: nothing else stops Storm's own code."""

    def __init__(self):
        (to_read, to_write), (from_read, from_write) = os.pipe(), os.pipe()
        self.left = QUESTIONS
        self.child = os.fork()
        if self.child == 0:
            os.close(to_write)
            os.close(from_read)
            for line in os.fdopen(to_read):
                signal.setitimer(signal.ITIMER_PROF, SECONDS)
                text = json.dumps(answer(json.loads(line)))
                signal.setitimer(signal.ITIMER_PROF, 0)
                os.write(from_write, (text + "\n").encode())
            os._exit(0)
        os.close(to_read)
        os.close(from_write)
        self.questions = os.fdopen(to_write, "w")
        self.answers = os.fdopen(from_read)

    def ask(self, line):
        self.left -= 1
        self.questions.write(line)
        self.questions.flush()
        return self.answers.readline()

    def end(self):
        self.questions.close()
        self.answers.close()
        return os.waitpid(self.child, 0)[1]


worker = Worker()
for line in sys.stdin:
    if worker.left == 0:
        worker.end()
        worker = Worker()
    found = worker.ask(line).strip()
    if not found:
        status = worker.end()
        if not (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF):
            sys.exit("the question failed: " + line)
        found = "null"
        worker = Worker()
    print("answer:" + found, flush=True)
