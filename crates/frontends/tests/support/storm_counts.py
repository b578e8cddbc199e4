"""Counts states, choices, transitions and deadlocks of PRISM models with Storm, for the tests.

Reads names of files on standard input, one a line; answers with one line each that begins with
"answer:". Storm writes other lines of its own.
"""

import sys

import stormpy

for line in sys.stdin:
    try:
        model = stormpy.build_model(stormpy.parse_prism_program(line.strip()))
        labels = model.labeling
        deadlocks = 0
        if labels.contains_label("deadlock"):
            deadlocks = labels.get_states("deadlock").get_number_of_set_bits()
        print("answer:", model.nr_states, model.nr_choices, model.nr_transitions, deadlocks)
    except Exception as error:  # a model that Storm refuses is an answer too
        print("answer: refused", " ".join(str(error).split()))
    sys.stdout.flush()
