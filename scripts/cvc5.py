"""The Python package of cvc5 as a command that reads SMT-LIB from standard input.

The package has no command of its own; scripts/test.sh installs this one for the tests.
"""

import sys

import cvc5


def main():
    solver = cvc5.Solver()
    symbols = cvc5.SymbolManager(solver)
    parser = cvc5.InputParser(solver, symbols)
    pending = ""
    for line in sys.stdin:
        pending += line
        # The parser wants whole commands.
        if pending.count("(") != pending.count(")"):
            continue
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, pending, "stdin")
        pending = ""
        while not (command := parser.nextCommand()).isNull():
            sys.stdout.write(str(command.invoke(solver, symbols)))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
