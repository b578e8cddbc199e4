// Elements from data. Names and texts of models become text nodes, never markup.

export type Child = Node | string | number | null | undefined | false | Child[];

type Handler = (event: never) => void;
type Attributes = Record<string, string | number | boolean | null | undefined | Handler>;

const SVG = "http://www.w3.org/2000/svg";

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") {
      element.addEventListener(name.slice(2).toLowerCase(), value as EventListener);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  append(element, children);
}

function append(element: Element, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(element, child);
    else element.append(child instanceof Node ? child : String(child));
  }
}

/** `h("div.card.wide", { title: "…" }, "text", child)` */
export function h<K extends keyof HTMLElementTagNameMap>(
  what: K | `${K}.${string}`,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const [tag, ...classes] = what.split(".");
  const element = document.createElement(tag as K);
  if (classes.length) element.className = classes.join(" ");
  fill(element, attributes, children);
  return element;
}

/** The same for drawings. */
export function s(what: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  const [tag, ...classes] = what.split(".");
  const element = document.createElementNS(SVG, tag!);
  if (classes.length) element.setAttribute("class", classes.join(" "));
  fill(element, attributes, children);
  return element;
}

export function replace(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, children);
}

/** 1234567 as 1,234,567. */
export function grouped(number: number): string {
  return Math.round(number).toLocaleString("en-US");
}

/** A time that people can read. */
export function duration(seconds: number): string {
  if (seconds < 0.001) return "under 1 ms";
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  const minutes = Math.floor(seconds / 60);
  return `${minutes} min ${Math.round(seconds - 60 * minutes)} s`;
}

export function plural(number: number, word: string): string {
  return `${grouped(number)} ${word}${number === 1 ? "" : "s"}`;
}

/** Says something to a screen reader, and shows it for a moment. */
export function announce(text: string, tone: "note" | "bad" = "note"): void {
  const place = document.getElementById("toasts");
  if (!place) return;
  const toast = h("div", { class: `toast ${tone}` }, text);
  place.append(toast);
  setTimeout(() => toast.remove(), tone === "bad" ? 9000 : 4000);
}

/** A file for the user to keep. */
export function download(name: string, text: string | Blob, type = "text/plain"): void {
  const blob = text instanceof Blob ? text : new Blob([text], { type });
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
