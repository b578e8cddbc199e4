//! Verdicts, why there is none, and how the program ends.

use super::Entry;

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        word: "verdict",
        also: &["verdicts"],
        text: "The answer to a claim: holds, violated or unknown. A verdict is shown only after a checker that shares no code \
            with the engines has accepted its evidence. The last line of the output is the worst verdict of all claims.",
        see: &["holds", "violated", "unknown", "evidence", "exit status"],
        page: Some("docs/cli.md#exit-status-and-last-line"),
    },
    Entry {
        word: "holds",
        also: &["hold"],
        text: "The claim is true of all runs of the model. The evidence is a certificate, or where the report says so a \
            search of all states.",
        see: &["certificate", "violated", "scope"],
        page: Some("docs/certificates.md"),
    },
    Entry {
        word: "violated",
        also: &["violation"],
        text: "The claim is false. The evidence is a counterexample in the words of your model, which was replayed by an \
            independent implementation of the model's meaning. violated(NAME) names the claim.",
        see: &["counterexample", "replay"],
        page: Some("docs/report.md"),
    },
    Entry {
        word: "unknown",
        also: &["undecided"],
        text: "The claim was not decided; the word in parentheses says why. It is never a guess in either direction.",
        see: &[
            "timeout",
            "memory",
            "disk",
            "interrupted",
            "iterations",
            "unsupported",
        ],
        page: Some("docs/cli.md#exit-status-and-last-line"),
    },
    Entry {
        word: "timeout",
        also: &["time limit"],
        text: "The time of --timeout ran out before the claim was decided and its evidence checked. Try a larger limit, \
            another engine, or a smaller instance of the model (--set N=2).",
        see: &["memory", "engine"],
        page: Some("docs/cli.md#limits"),
    },
    Entry {
        word: "disk",
        also: &["disk full"],
        text: "The states that --disk keeps in files could not be written or read: the disk is full, or the folder went away. What \
            is complete stays, and `suppose resume` goes on from it.",
        see: &["memory"],
        page: Some("docs/scale.md"),
    },
    Entry {
        word: "memory",
        also: &["memory limit"],
        text: "As a reason: the limit of --memory was reached before the claim was decided. In the last lines of a report: the \
            largest resident set of the run.",
        see: &["timeout"],
        page: Some("docs/cli.md#limits"),
    },
    Entry {
        word: "interrupted",
        also: &["Ctrl-C"],
        text: "You ended the run, by Ctrl-C for example. What was decided by then is in the report.",
        see: &["unknown"],
        page: Some("docs/cli.md#limits"),
    },
    Entry {
        word: "iterations",
        also: &[],
        text: "The limit on refinement rounds was reached.",
        see: &["round", "refinement"],
        page: Some("docs/engines.md"),
    },
    Entry {
        word: "unsupported",
        also: &[],
        text: "The engine cannot decide this claim, or the model uses something that this claim is not defined for; the \
            reason says what. Another engine may be able to: suppose options LANGUAGE lists them.",
        see: &["engine", "auto"],
        page: Some("docs/engines.md#all-engines"),
    },
    Entry {
        word: "certificate rejected",
        also: &["rejected"],
        text: "The independent checker did not accept the evidence of an engine, so there is no verdict. During a check that is a bug \
            in Suppose: please report it. During `suppose certify` the file does not prove the claim of this model.",
        see: &["certificate", "evidence"],
        page: Some("docs/certificates.md"),
    },
    Entry {
        word: "internal error",
        also: &[],
        text: "An engine failed because of a bug in Suppose. The other claims were still decided. Please report it with \
            the model and the command line.",
        see: &["unknown"],
        page: None,
    },
    Entry {
        word: "nothing to check",
        also: &[],
        text: "The model has no claim that was asked for, so nothing is known: that is not the same as holds.",
        see: &["claim"],
        page: None,
    },
    Entry {
        word: "failed",
        also: &["passed"],
        text: "The last line of `suppose test`: a verdict is, or all verdicts are not, another than suppose.toml expects.",
        see: &["exit status"],
        page: Some("docs/ci.md#expected-verdicts"),
    },
    Entry {
        word: "exit status",
        also: &["exit code", "last line"],
        text: "How the program ends, for scripts: 0 holds, 1 usage error, 2 input error, 3 resource limit, 4 certificate rejected, \
            5 unknown, 6 internal error, 10 violated, 11 another verdict than `suppose test` expects. It agrees with the last line of the output.",
        see: &["verdict"],
        page: Some("docs/cli.md#exit-status-and-last-line"),
    },
];
