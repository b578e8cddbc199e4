"""Asks Storm for exact values: for each line of standard input, `FILE<tab>FORMULA`, one fraction."""

import sys

import stormpy

models = {}
for line in sys.stdin:
    path, formula = line.rstrip("\n").split("\t")
    if path not in models:
        models[path] = stormpy.build_model_from_drn[stormpy.Rational](path)
    model = models[path]
    question = stormpy.parse_properties(formula)[0]
    result = stormpy.model_checking(model, question)
    print(result.get_value(model.initial_states[0]))
