// Pictures of a run: a message sequence chart where components take part in steps, else the values over time.

import { h, replace, s } from "./dom";
import type { Run } from "./run";

/** The width of a lifeline: as much as there is, within these. */
const WIDEST = 132;
const NARROWEST = 72;
/** The width of a letter. */
const LETTER = 7.2;
const ROW = 30;
const TOP = 40;
const LEFT = 32;
const MOST_ACTORS = 14;
/** Rows before and after the current one. */
const AROUND = 24;

export function drawChart(place: HTMLElement, run: Run, at: number, go: (at: number) => void): void {
  const actors = run.actors(MOST_ACTORS);
  if (actors.length === 0) {
    drawValues(place, run, at, go);
    return;
  }
  const first = Math.max(1, Math.min(at - AROUND, run.length - 2 * AROUND));
  const last = Math.min(run.length, Math.max(at + AROUND, 2 * AROUND));
  const right = run.loopsTo === null ? 12 : 34;
  const column = Math.max(NARROWEST, Math.min(WIDEST, (place.clientWidth - LEFT - right - 4) / actors.length));
  const fits = (columns: number) => Math.floor((columns * column) / LETTER);
  const x = (actor: number) => LEFT + column / 2 + actor * column;
  const y = (step: number) => TOP + 20 + (step - first) * ROW;
  const width = LEFT + actors.length * column + right;
  const height = y(last) + 34;
  const parts: SVGElement[] = [];
  actors.forEach((name, at) => {
    parts.push(
      s("line.life", { x1: x(at), x2: x(at), y1: TOP - 8, y2: height - 12 }),
      s("g.head", {}, s("rect", { x: x(at) - column / 2 + 4, y: 6, width: column - 8, height: 24, rx: 7 }), s("text", { x: x(at), y: 22, "text-anchor": "middle" }, s("title", {}, name), short(name, fits(1) - 2))),
    );
  });
  for (let number = first; number <= last; number++) {
    const step = run.step(number)!;
    const columns = run.columns(step, actors);
    const low = Math.min(...columns);
    const high = Math.max(...columns);
    const level = y(number);
    const row: SVGElement[] = [
      s("rect.row-back", { x: 2, y: level - ROW / 2, width: width - 4, height: ROW, rx: 5 }),
      s("text.number", { x: LEFT - 8, y: level + 4, "text-anchor": "end" }, number),
    ];
    if (columns.length > 1) {
      const sends = /!/.test(step.label) && columns.length === 2;
      const [from, to] = sends ? [columns[0]!, columns[1]!] : [low, high];
      row.push(s("line.message", { x1: x(from), x2: x(to), y1: level + 6, y2: level + 6, "marker-end": sends ? "url(#arrow)" : null }));
      columns.forEach((c) => row.push(s("circle.dot", { cx: x(c), cy: level + 6, r: 4 })));
      row.push(s("text.label", { x: (x(low) + x(high)) / 2, y: level - 1, "text-anchor": "middle" }, s("title", {}, step.label), short(step.label, fits(high - low))));
    } else {
      const only = columns[0] ?? 0;
      // Beside the last lifeline there is no room but on its left.
      const left = only > 0 && only === actors.length - 1;
      row.push(s("circle.dot", { cx: x(only), cy: level, r: 4.5 }), s("text.label", { x: x(only) + (left ? -10 : 10), y: level + 4, "text-anchor": left ? "end" : "start" }, s("title", {}, step.label), short(step.label, fits(1) - 2)));
    }
    parts.push(s("g", { class: `row${number === at ? " now" : ""}`, onclick: () => go(number) }, ...row));
  }
  if (run.loopsTo !== null && last === run.length) {
    const from = Math.max(run.loopsTo + 1, first);
    const edge = width - 14;
    parts.push(s("path.loop", { d: `M${edge - 12} ${y(last)} h12 V${y(from)} h-12`, "marker-end": "url(#arrow)" }, s("title", {}, `repeats for ever from step ${run.loopsTo + 1}`)));
  }
  const arrow = s("defs", {}, s("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" }, s("path.arrow-head", { d: "M0 0 L8 4 L0 8 z" })));
  const picture = s("svg.chart", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Message chart of steps ${first} to ${last}` }, arrow, ...parts);
  replace(place, (first > 1 || last < run.length) && h("p.hint", {}, `Steps ${first} to ${last} of ${run.length}`), picture);
  const now = place.querySelector(".row.now");
  if (now) now.scrollIntoView({ block: "nearest", inline: "nearest" });
}

const WINDOW = 16;
const MOST_ROWS = 60;

/** Values over time, for models whose steps nobody in particular takes. */
function drawValues(place: HTMLElement, run: Run, at: number, go: (at: number) => void): void {
  const first = Math.max(0, Math.min(at - WINDOW / 2, run.length - WINDOW));
  const last = Math.min(run.length, first + WINDOW);
  const columns = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const changing = new Set<string>();
  for (const column of columns) for (const change of run.step(column)?.changes ?? []) changing.add(change.name);
  const names = [...run.state(first).keys()].filter((n) => changing.has(n)).slice(0, MOST_ROWS);
  const states = columns.map((column) => run.state(column));
  const row = (name: string) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, name),
      columns.map((column, i) => {
        const value = states[i]!.get(name) ?? "";
        const changed = i > 0 && states[i - 1]!.get(name) !== value;
        return h("td", { class: `${changed ? "changed" : ""}${column === at ? " now" : ""}`, onclick: () => go(column) }, value);
      }),
    );
  const loop = run.loopsTo;
  replace(
    place,
    h(
      "table.timeline",
      {},
      h("thead", {}, h("tr", {}, h("th", {}, "state"), columns.map((c) => h("th", { scope: "col", class: c === at ? "now" : "" }, h("button.plain", { onclick: () => go(c) }, c), loop !== null && c === loop ? " ↻" : "")))),
      h("tbody", {}, names.length ? names.map(row) : h("tr", {}, h("td", { colspan: columns.length + 1 }, "nothing changes here"))),
    ),
  );
}

function short(text: string, most: number): string {
  const letters = Array.from(text);
  return letters.length <= Math.max(most, 6) ? text : `${letters.slice(0, Math.max(most, 6) - 1).join("")}…`;
}
