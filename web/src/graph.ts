// Automata as drawings: states in columns by their distance from the initial one, with few crossings. Drag to move, wheel to zoom.

import { h, plural, replace, s } from "./dom";
import type { Automaton, Edge } from "./store";

/** Larger automata are shown as the surroundings of one state. */
const WHOLE = 120;
const SURROUNDINGS = 40;
const COLUMN = 170;
const ROW = 86;
const RADIUS = 19;

interface Placed {
  x: number;
  y: number;
}

export class GraphView {
  readonly element: HTMLElement;
  private picture: SVGElement;
  private note = h("p.hint");
  private box = { x: 0, y: 0, w: 100, h: 100 };
  private places = new Map<number, Placed>();
  private centre: number;
  private found = new Set<number>();
  private chosen: number | null = null;

  constructor(
    private automaton: Automaton,
    private about: (state: number | null) => void,
  ) {
    this.centre = automaton.initial;
    this.picture = s("svg.graph", { tabindex: 0, role: "img", "aria-label": `Automaton with ${automaton.states} states` });
    const search = h("input.filter", {
      placeholder: "find a label or a state",
      "aria-label": "Find in the automaton",
      spellcheck: "false",
      oninput: (event: Event) => this.find((event.target as HTMLInputElement).value),
    });
    const zoom = (words: string, label: string, factor: number) => h("button.icon", { title: label, "aria-label": label, onclick: () => (factor ? this.zoom(factor) : this.fit()) }, words);
    this.element = h("div.graph-view", {}, h("div.graph-tools", {}, search, zoom("+", "Closer", 0.8), zoom("−", "Further away", 1.25), zoom("⤢", "Fit", 0)), this.note, h("div.graph-frame", {}, this.picture as unknown as HTMLElement));
    this.listen();
    this.draw();
  }

  /** The states that are drawn. */
  private visible(): number[] {
    const { states, edges } = this.automaton;
    if (states <= WHOLE) return Array.from({ length: states }, (_, i) => i);
    const near = new Map<number, number[]>();
    for (const edge of edges) {
      near.set(edge.source, [...(near.get(edge.source) ?? []), edge.target]);
      near.set(edge.target, [...(near.get(edge.target) ?? []), edge.source]);
    }
    const seen = new Set([this.centre]);
    for (const state of seen) {
      for (const next of near.get(state) ?? []) if (seen.size < SURROUNDINGS) seen.add(next);
      if (seen.size >= SURROUNDINGS) break;
    }
    return [...seen];
  }

  private draw(): void {
    const states = this.visible();
    const inside = new Set(states);
    const edges = this.automaton.edges.filter((e) => inside.has(e.source) && inside.has(e.target));
    const start = inside.has(this.automaton.initial) ? this.automaton.initial : this.centre;
    this.places = layout(states, edges, start);
    this.note.hidden = states.length === this.automaton.states;
    this.note.textContent = `${plural(this.automaton.states, "state")}: these are the ${states.length} nearest to state ${this.centre}. Double-click a state to see what is around it.`;
    replace(this.picture, s("defs", {}, marker("head"), marker("head-on")), ...this.edges(edges), ...states.map((state) => this.node(state)), this.entry());
    this.fit();
  }

  private entry(): SVGElement {
    const at = this.places.get(this.automaton.initial);
    if (!at) return s("g");
    return s("path.edge.entry", { d: `M${at.x - RADIUS - 26} ${at.y} H${at.x - RADIUS - 4}`, "marker-end": "url(#head)" });
  }

  private node(state: number): SVGElement {
    const { x, y } = this.places.get(state)!;
    const info = this.automaton.nodes?.[state];
    const cls = ["node", state === this.automaton.initial ? "initial" : "", this.found.has(state) ? "found" : "", this.chosen === state ? "chosen" : ""];
    const tip = info ? `state ${state}: stands for ${plural(info.count, "concrete state")}\n${info.examples.join("\n")}` : `state ${state}`;
    return s(
      "g",
      { class: cls.filter(Boolean).join(" "), "data-state": state, tabindex: 0, role: "button", "aria-label": tip, onclick: () => this.choose(state), ondblclick: () => this.around(state), onkeydown: (event: KeyboardEvent) => event.key === "Enter" && this.choose(state) },
      s("title", {}, tip),
      s("circle", { cx: x, cy: y, r: RADIUS }),
      s("text", { x, y: y + 4.5, "text-anchor": "middle" }, state),
    );
  }

  choose(state: number | null): void {
    this.chosen = this.chosen === state ? null : state;
    for (const node of this.picture.querySelectorAll<SVGElement>(".node")) node.classList.toggle("chosen", node.dataset.state === String(this.chosen));
    for (const edge of this.picture.querySelectorAll<SVGElement>(".edge-group")) {
      const on = this.chosen !== null && (edge.dataset.from === String(this.chosen) || edge.dataset.to === String(this.chosen));
      edge.classList.toggle("chosen", on);
    }
    this.about(this.chosen);
  }

  private around(state: number): void {
    if (this.automaton.states <= WHOLE) return;
    this.centre = state;
    this.draw();
  }

  private find(text: string): void {
    const wanted = text.trim().toLowerCase();
    this.found.clear();
    if (wanted) {
      const number = Number(wanted);
      if (Number.isInteger(number) && number >= 0 && number < this.automaton.states) this.found.add(number);
      for (const edge of this.automaton.edges) if (edge.label.toLowerCase().includes(wanted)) this.found.add(edge.source);
    }
    const first = [...this.found][0];
    if (first !== undefined && !this.places.has(first)) this.around(first);
    for (const node of this.picture.querySelectorAll<SVGElement>(".node")) node.classList.toggle("found", this.found.has(Number(node.dataset.state)));
    for (const edge of this.picture.querySelectorAll<SVGElement>(".edge-group")) edge.classList.toggle("found", wanted !== "" && (edge.textContent ?? "").toLowerCase().includes(wanted));
  }

  private edges(edges: Edge[]): SVGElement[] {
    const joined = new Map<string, Edge[]>();
    for (const edge of edges) {
      const key = `${edge.source} ${edge.target}`;
      joined.set(key, [...(joined.get(key) ?? []), edge]);
    }
    return [...joined.values()].map((all) => {
      const [{ source, target }] = all as [Edge];
      const a = this.places.get(source)!;
      const b = this.places.get(target)!;
      const labels = all.map((e) => (e.probability && e.probability !== "1" ? `${e.label} ${e.probability}` : e.label));
      const both = joined.has(`${target} ${source}`);
      const { path, x, y } = route(a, b, source === target, both);
      const text = labels.length > 3 ? `${labels.slice(0, 2).join(", ")}, +${labels.length - 2}` : labels.join(", ");
      return s(
        "g.edge-group",
        { "data-from": source, "data-to": target },
        s("title", {}, labels.join("\n")),
        s("path.edge", { d: path, "marker-end": "url(#head)" }),
        s("text.edge-label", { x, y, "text-anchor": "middle" }, text.length > 34 ? `${text.slice(0, 33)}…` : text),
      );
    });
  }

  private fit(): void {
    const all = [...this.places.values()];
    const xs = all.map((p) => p.x);
    const ys = all.map((p) => p.y);
    const left = Math.min(...xs) - 90;
    const top = Math.min(...ys) - 80;
    this.box = { x: left, y: top, w: Math.max(...xs) + 90 - left, h: Math.max(...ys) + 70 - top };
    this.look();
  }

  private zoom(factor: number): void {
    const { x, y, w, h: height } = this.box;
    this.box = { x: x + (w * (1 - factor)) / 2, y: y + (height * (1 - factor)) / 2, w: w * factor, h: height * factor };
    this.look();
  }

  private look(): void {
    const { x, y, w, h: height } = this.box;
    this.picture.setAttribute("viewBox", `${x} ${y} ${w} ${height}`);
  }

  private listen(): void {
    let from: { x: number; y: number } | null = null;
    const picture = this.picture as unknown as HTMLElement;
    picture.addEventListener("pointerdown", (event) => {
      from = { x: event.clientX, y: event.clientY };
    });
    picture.addEventListener("pointermove", (event) => {
      if (!from || event.buttons === 0) return;
      const scale = this.box.w / Math.max(1, picture.clientWidth);
      this.box.x -= (event.clientX - from.x) * scale;
      this.box.y -= (event.clientY - from.y) * scale;
      from = { x: event.clientX, y: event.clientY };
      this.look();
    });
    picture.addEventListener("pointerup", () => (from = null));
    picture.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.metaKey && document.activeElement !== picture) return;
        event.preventDefault();
        this.zoom(event.deltaY > 0 ? 1.12 : 0.89);
      },
      { passive: false },
    );
    picture.addEventListener("keydown", (event) => {
      const move = this.box.w / 12;
      const keys: Record<string, () => void> = {
        "+": () => this.zoom(0.8),
        "-": () => this.zoom(1.25),
        "0": () => this.fit(),
        ArrowLeft: () => ((this.box.x -= move), this.look()),
        ArrowRight: () => ((this.box.x += move), this.look()),
        ArrowUp: () => ((this.box.y -= move), this.look()),
        ArrowDown: () => ((this.box.y += move), this.look()),
      };
      const act = keys[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    });
  }
}

function marker(id: string): SVGElement {
  return s("marker", { id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, orient: "auto" }, s("path.arrow-head", { d: "M0 .6 L8 4 L0 7.4 z" }));
}

/** Columns by distance, then several sweeps that put each state near the middle of its neighbours. */
function layout(states: number[], edges: Edge[], start: number): Map<number, Placed> {
  const column = new Map<number, number>([[start, 0]]);
  const out = new Map<number, number[]>();
  const near = new Map<number, number[]>();
  const add = (map: Map<number, number[]>, from: number, to: number) => map.set(from, [...(map.get(from) ?? []), to]);
  for (const edge of edges) {
    if (edge.source === edge.target) continue;
    add(out, edge.source, edge.target);
    add(near, edge.source, edge.target);
    add(near, edge.target, edge.source);
  }
  const queue = [start];
  for (const state of queue) {
    for (const next of out.get(state) ?? []) {
      if (column.has(next)) continue;
      column.set(next, column.get(state)! + 1);
      queue.push(next);
    }
  }
  // What cannot be reached within the part that is drawn.
  for (const state of states) if (!column.has(state)) column.set(state, 0);
  const columns: number[][] = [];
  for (const state of [...queue, ...states.filter((st) => !queue.includes(st))]) (columns[column.get(state)!] ??= []).push(state);
  const order = new Map<number, number>();
  const renumber = () => columns.forEach((c) => c.forEach((state, i) => order.set(state, i - (c.length - 1) / 2)));
  renumber();
  for (let sweep = 0; sweep < 8; sweep++) {
    for (const c of sweep % 2 ? [...columns].reverse() : columns) {
      const middle = new Map<number, number>();
      for (const state of c) {
        const others = near.get(state) ?? [];
        const sum = others.reduce((total, o) => total + order.get(o)!, 0);
        middle.set(state, others.length ? sum / others.length : order.get(state)!);
      }
      c.sort((a, b) => middle.get(a)! - middle.get(b)!);
      c.forEach((state, i) => order.set(state, i - (c.length - 1) / 2));
    }
  }
  const places = new Map<number, Placed>();
  columns.forEach((c, x) => c.forEach((state) => places.set(state, { x: x * COLUMN, y: order.get(state)! * ROW })));
  return places;
}

/** The line of an arrow, and where its label stands. */
function route(a: Placed, b: Placed, loop: boolean, both: boolean): { path: string; x: number; y: number } {
  if (loop) {
    const path = `M${a.x - 9} ${a.y - RADIUS + 3} C${a.x - 34} ${a.y - 62} ${a.x + 34} ${a.y - 62} ${a.x + 9} ${a.y - RADIUS + 1}`;
    return { path, x: a.x, y: a.y - 54 };
  }
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = Math.hypot(dx, dy);
  const far = Math.abs(dx) > COLUMN * 1.5 || (Math.abs(dx) < 1 && Math.abs(dy) > ROW * 1.5);
  const bend = both || far || dx < 0 ? Math.min(26 + length * 0.14, 130) : 0;
  const [nx, ny] = [dy / length, -dx / length];
  const [cx, cy] = [(a.x + b.x) / 2 + nx * bend, (a.y + b.y) / 2 + ny * bend];
  const trim = (p: Placed, towards: { x: number; y: number }, by: number) => {
    const d = Math.hypot(towards.x - p.x, towards.y - p.y) || 1;
    return { x: p.x + ((towards.x - p.x) / d) * by, y: p.y + ((towards.y - p.y) / d) * by };
  };
  const from = trim(a, { x: cx, y: cy }, RADIUS + 1);
  const to = trim(b, { x: cx, y: cy }, RADIUS + 4);
  return { path: `M${from.x} ${from.y} Q${cx} ${cy} ${to.x} ${to.y}`, x: (from.x + 2 * cx + to.x) / 4, y: (from.y + 2 * cy + to.y) / 4 - 6 };
}
