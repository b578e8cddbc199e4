# Licensed under either of Apache License 2.0 or MIT license, at your option.
"""Tool-info module of BenchExec for Suppose, a compositional model checker."""

import re

import benchexec.result as result
import benchexec.tools.template

LAST_LINE = re.compile(r"^(holds|violated|unknown)(?:\((.*)\))?$")

# The names of claims on C programs, as SV-COMP calls them.
PROPERTIES = {"assertions": "unreach-call", "no-overflow": "no-overflow"}


class Tool(benchexec.tools.template.BaseTool2):
    """Runs `suppose check` and reads its last line."""

    REQUIRED_PATHS = []

    def executable(self, tool_locator):
        return tool_locator.find_executable("suppose")

    def name(self):
        return "Suppose"

    def version(self, executable):
        return self._version_from_tool(executable)

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check"] + options
        data_model = None
        if isinstance(task.options, dict) and task.options.get("language") == "C":
            data_model = task.options.get("data_model")
        if data_model and "--data-model" not in options:
            command += ["--data-model", data_model]
        # It stops by itself a little earlier, and says what it knows.
        if rlimits.cputime and "--timeout" not in options:
            command += ["--timeout", f"{max(1, int(rlimits.cputime * 0.95))}s"]
        if rlimits.memory and "--memory" not in options:
            command += ["--memory", f"{int(rlimits.memory * 0.9)}B"]
        return command + ["--"] + list(task.input_files_or_identifier)

    def determine_result(self, run):
        if run.was_timeout:
            return "TIMEOUT"
        match = None
        for line in reversed(run.output):
            if line.strip():
                match = LAST_LINE.match(line.strip())
                break
        if match is None:
            return self._without_verdict(run)
        verdict, detail = match.groups()
        if verdict == "holds":
            return result.RESULT_TRUE_PROP
        if verdict == "violated":
            name = PROPERTIES.get(detail, detail)
            return f"{result.RESULT_FALSE_PROP}({name})"
        if detail == "timeout":
            return "TIMEOUT"
        if detail == "memory":
            return "OUT OF MEMORY"
        if detail == "certificate rejected":
            return result.RESULT_ERROR + " (certificate rejected)"
        return f"{result.RESULT_UNKNOWN}({detail})"

    @staticmethod
    def _without_verdict(run):
        names = {1: "usage", 2: "input", 3: "limit", 6: "internal"}
        code = run.exit_code.value if run.exit_code else None
        if code in names:
            return f"{result.RESULT_ERROR} ({names[code]})"
        return result.RESULT_ERROR

    def get_value_from_output(self, output, identifier):
        """The last line that begins with the name of a fact: `explored`, `time`, `refinement`."""
        for line in reversed(list(output)):
            line = line.strip()
            if line.startswith(identifier + " "):
                return line[len(identifier):].strip()
        return None
