// A run: its steps, and the state after any of them.

export interface Value {
  name: string;
  value: string | null;
}

export interface Step {
  number: number;
  label: string;
  actors: string[];
  place: string | null;
  probability: string | null;
  changes: Value[];
  notes: string[];
}

export interface End {
  reason: string;
  property: string | null;
  why: string | null;
}

export interface Transcript {
  start: { values: Value[]; notes: string[] };
  steps: Step[];
  loops_to: number | null;
  remarks: string[];
  end: End | null;
  last_line?: string;
}

/** A snapshot every so many steps, so that no state takes long. */
const SNAPSHOT = 256;

export class Run {
  private snapshots: Map<string, string>[];
  /** The state of which the values are known, and which. */
  private last: { at: number; values: Map<string, string> };

  constructor(readonly transcript: Transcript) {
    const start = new Map(transcript.start.values.map((v) => [v.name, v.value ?? ""]));
    this.snapshots = [start];
    this.last = { at: 0, values: start };
  }

  get length(): number {
    return this.transcript.steps.length;
  }

  get loopsTo(): number | null {
    return this.transcript.loops_to;
  }

  /** Step `at` leads to state `at`; state 0 is the first. */
  step(at: number): Step | undefined {
    return this.transcript.steps[at - 1];
  }

  /** All values of a state. */
  state(at: number): Map<string, string> {
    if (this.last.at === at) return this.last.values;
    const block = Math.floor(at / SNAPSHOT);
    while (this.snapshots.length <= block) {
      const from = this.snapshots.length - 1;
      this.snapshots.push(this.advance(this.snapshots[from]!, from * SNAPSHOT, (from + 1) * SNAPSHOT));
    }
    const values = this.advance(this.snapshots[block]!, block * SNAPSHOT, at);
    this.last = { at, values };
    return values;
  }

  private advance(start: Map<string, string>, from: number, to: number): Map<string, string> {
    const values = new Map(start);
    for (let at = from; at < to; at++) {
      for (const change of this.transcript.steps[at]!.changes) {
        if (change.value === null) values.delete(change.name);
        else values.set(change.name, change.value);
      }
    }
    return values;
  }

  /** Are the values the states of those who act? So it is where components are composed. */
  private isNetwork(): boolean {
    const start = this.snapshots[0]!;
    return this.transcript.steps.every((step) => step.actors.every((actor) => start.has(actor)));
  }

  /** Whose state a step changes although it is not theirs: properties. */
  private watchers(step: Step): string[] {
    return step.actors.length ? step.changes.map((c) => c.name).filter((name) => !step.actors.includes(name)) : [];
  }

  /** Those of these columns that a step has to do with. */
  columns(step: Step, actors: string[]): number[] {
    return [...step.actors, ...this.watchers(step)].map((name) => actors.indexOf(name)).filter((column) => column >= 0);
  }

  add(steps: Step[]): void {
    this.transcript.steps.push(...steps);
  }

  cut(length: number): void {
    this.transcript.steps.length = length;
    this.snapshots.length = Math.min(this.snapshots.length, Math.floor(length / SNAPSHOT) + 1);
    this.last = { at: 0, values: this.snapshots[0]! };
  }

  /** Who takes part, the busiest where there are too many; in the order of appearance, and last the properties that watch. */
  actors(most: number): string[] {
    const counts = new Map<string, number>();
    const count = (who: string[]) => who.forEach((name) => counts.set(name, (counts.get(name) ?? 0) + 1));
    for (const step of this.transcript.steps) count(step.actors);
    if (this.isNetwork()) for (const step of this.transcript.steps) count(this.watchers(step));
    const order = [...counts.keys()];
    if (order.length <= most) return order;
    const kept = new Set([...counts].sort((a, b) => b[1] - a[1]).slice(0, most).map(([name]) => name));
    return order.filter((name) => kept.has(name));
  }
}

/** The lines of a text that a step is written on, or that mention it. */
export function linesOf(step: Step | undefined, text: string, file: string): { now: number[]; mentioned: number[] } {
  const now: number[] = [];
  const mentioned: number[] = [];
  if (!step) return { now, mentioned };
  const place = step.place ? /^(.*):(\d+)$/.exec(step.place) : null;
  if (place) {
    const own = file.endsWith(place[1]!) || place[1]!.endsWith(file.split("/").pop()!);
    if (own) now.push(Number(place[2]));
    return { now, mentioned };
  }
  const parts = step.label.split(/[^A-Za-z_]\d*|\d+/).filter((p) => /^[A-Za-z_]/.test(p));
  const names = parts.length ? [parts[parts.length - 1]!] : step.changes.map((c) => c.name.split(".").pop()!);
  const found = names.slice(0, 6).map((n) => new RegExp(`(^|[^\\w])${n.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}($|[^\\w])`));
  if (!found.length) return { now, mentioned };
  text.split("\n").forEach((line, at) => {
    if (mentioned.length < 40 && !/^\s*(\/\/|--)/.test(line) && found.some((f) => f.test(line))) mentioned.push(at + 1);
  });
  return { now, mentioned };
}
