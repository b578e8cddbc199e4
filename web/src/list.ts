// A long list of which only what can be seen is there.

import { h } from "./dom";

export class LongList {
  readonly element: HTMLElement;
  private inner: HTMLElement;
  private count = 0;
  private drawn = "";

  constructor(
    private rowHeight: number,
    private row: (index: number) => HTMLElement,
    label: string,
  ) {
    this.inner = h("div.long-inner", { role: "presentation" });
    this.element = h("div.long-list", { tabindex: 0, role: "listbox", "aria-label": label }, this.inner);
    this.element.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  setCount(count: number): void {
    this.count = count;
    this.inner.style.height = `${count * this.rowHeight}px`;
    this.redraw();
  }

  redraw(): void {
    this.drawn = "";
    this.draw();
  }

  private draw(): void {
    const height = this.element.clientHeight || 400;
    const first = Math.max(0, Math.floor(this.element.scrollTop / this.rowHeight) - 8);
    const last = Math.min(this.count, Math.ceil((this.element.scrollTop + height) / this.rowHeight) + 8);
    const key = `${first}-${last}`;
    if (key === this.drawn) return;
    this.drawn = key;
    const rows: HTMLElement[] = [];
    for (let index = first; index < last; index++) {
      const row = this.row(index);
      row.classList.add("long-row");
      row.style.top = `${index * this.rowHeight}px`;
      row.style.height = `${this.rowHeight}px`;
      row.setAttribute("role", "option");
      row.setAttribute("aria-setsize", String(this.count));
      row.setAttribute("aria-posinset", String(index + 1));
      rows.push(row);
    }
    this.inner.replaceChildren(...rows);
  }

  show(index: number): void {
    const top = index * this.rowHeight;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop + this.rowHeight) this.element.scrollTop = Math.max(0, top - this.rowHeight);
    else if (top > scrollTop + clientHeight - 2 * this.rowHeight) this.element.scrollTop = top - clientHeight + 2 * this.rowHeight;
    this.redraw();
  }
}
