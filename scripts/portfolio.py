#!/usr/bin/env python3
"""How much worse is `--engine auto` than the best engine? Prints a table of processor time.

    scripts/portfolio.py target/release/suppose [--runs 3] [--cpu 5] [--only NAME]

Every cell is a process of its own with a limit on its processor time; the least of the runs counts, evidence
and reading included. An engine that reaches the limit has no time.
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent / "families"
ENGINES = ["monolithic", "agar", "learn", "quotient"]
ROWS = [
    ("abp", [2, 3], ["Alt", "Bounded"]),
    ("barber", [6, 8, 10], ["Paid", "C1", "Seats"]),
    ("bridge", [4, 5, 6], ["Oneway", "Pair"]),
    ("daisy", [6, 8, 10, 14], ["Mutex01", "Mutex"]),
    ("databit", [8, 12, 24], ["Seq", "Near"]),
    ("elevator", [4, 6, 8], ["Doors", "Fair0"]),
    ("milner", [8, 12, 16], ["Order", "Local"]),
    ("prodcons", [2, 3, 4], ["Cap", "Crit", "Crit1"]),
    ("traffic", [3, 4, 5, 6], ["Cross01", "Cross"]),
    ("ring", [4, 6, 8], ["One", "Near"]),
    ("pool", [4, 6, 8], ["Logged", "First", "Stock"]),
    ("gates", [3, 5, 7], ["OneIn", "Loaded", "Pass"]),
]


def once(command, cpu):
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu))

    begun = time.time()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=limit)
    out = process.stdout.read()
    _, _, used = os.wait4(process.pid, 0)
    try:
        claim = json.loads(out)["claims"][0]
        verdict, engine = claim["verdict"], claim["engine"]["name"]
    except (ValueError, KeyError, IndexError):
        verdict, engine = "unknown", "-"
    return used.ru_utime + used.ru_stime, time.time() - begun, verdict, engine


def cell(program, family, size, name, engine, options):
    file = str(HERE / f"{family}.lts")
    command = [program, "--quiet", "--format", "json", "check", file, "--set", f"N={size}", "-p", name, "--engine", engine]
    best = None
    for _ in range(options.runs):
        it = once(command, options.cpu)
        best = it if best is None or it[0] < best[0] else best
        if it[2] == "unknown":
            break
    return best


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--cpu", type=int, default=5)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    print("| family | N | property | monolithic | agar | learn | quotient | auto | ratio | auto's engine |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    ratios = []
    for family, sizes, names in ROWS:
        if options.only not in family:
            continue
        for size in sizes:
            for name in names:
                cells = [cell(options.program, family, size, name, e, options) for e in ENGINES + ["auto"]]
                times = [c[0] for c in cells[:-1] if c[2] != "unknown"]
                shown = [f"{c[0]:.3f}" if c[2] != "unknown" else "–" for c in cells]
                ratio = cells[-1][0] / min(times) if times and cells[-1][2] != "unknown" else float("inf")
                ratios.append(ratio)
                print(f"| {family} | {size} | {name} | " + " | ".join(shown) + f" | {ratio:.2f} | {cells[-1][3]} |", flush=True)
    over = sum(1 for r in ratios if r > 1.5)
    print(f"\n{len(ratios)} rows, {over} above 1.5, the worst {max(ratios):.2f}")


main()
