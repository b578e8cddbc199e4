"use strict";
// Moving about in drawings. Without this the page is complete, only still.
for (const figure of document.querySelectorAll("figure.drawing")) {
  const canvas = figure.querySelector(".canvas");
  const svg = canvas.querySelector("svg");
  const info = figure.querySelector(".info");
  const hint = info.textContent;
  const whole = svg.viewBox.baseVal;
  const all = { x: whole.x, y: whole.y, w: whole.width, h: whole.height };
  const view = { x: all.x, y: all.y, scale: 1 };
  let touched = false;

  const show = () => {
    const w = canvas.clientWidth / view.scale, h = canvas.clientHeight / view.scale;
    svg.setAttribute("viewBox", `${view.x} ${view.y} ${w} ${h}`);
  };
  // All of it if it stays readable, else its left part, where reading starts.
  const fit = (readable) => {
    const width = canvas.clientWidth;
    if (!width) return;
    const most = Math.max(200, window.innerHeight * 0.7);
    let scale = Math.min(1, width / all.w, most / all.h);
    const cut = readable && scale < 0.55;
    if (cut) scale = 0.75;
    const height = Math.min(most, Math.max(90, all.h * scale));
    if (readable) canvas.style.height = `${height}px`;
    else scale = Math.min(1, width / all.w, canvas.clientHeight / all.h);
    view.scale = scale;
    view.x = cut && all.w * scale > width ? all.x : all.x - (width / scale - all.w) / 2;
    view.y = all.y - (canvas.clientHeight / scale - all.h) / 2;
    show();
  };
  const size = () => { if (touched) show(); else fit(true); };
  const zoom = (factor, x, y) => {
    const scale = Math.min(8, Math.max(0.02, view.scale * factor));
    view.x += x / view.scale - x / scale;
    view.y += y / view.scale - y / scale;
    view.scale = scale;
    touched = true;
    show();
  };
  const move = (dx, dy) => {
    view.x += dx / view.scale;
    view.y += dy / view.scale;
    touched = true;
    show();
  };
  const middle = (factor) => zoom(factor, canvas.clientWidth / 2, canvas.clientHeight / 2);
  const reset = () => { touched = false; fit(false); };

  figure.classList.add("live");
  svg.setAttribute("preserveAspectRatio", "xMinYMin meet");
  size();
  window.addEventListener("resize", size);
  figure.closest("details")?.addEventListener("toggle", size);
  // On paper, all of it.
  window.addEventListener("beforeprint", () => {
    svg.setAttribute("viewBox", `${all.x} ${all.y} ${all.w} ${all.h}`);
    svg.setAttribute("preserveAspectRatio", "xMidYMid meet");
  });
  window.addEventListener("afterprint", () => {
    svg.setAttribute("preserveAspectRatio", "xMinYMin meet");
    show();
  });

  figure.querySelector(".tools").addEventListener("click", (event) => {
    const action = event.target.dataset.view;
    if (action === "in") middle(1.3);
    if (action === "out") middle(1 / 1.3);
    if (action === "fit") reset();
  });
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const box = canvas.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY / 300), event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const keys = {
      "+": () => middle(1.3), "=": () => middle(1.3), "-": () => middle(1 / 1.3), "0": reset,
      ArrowLeft: () => move(-50, 0), ArrowRight: () => move(50, 0),
      ArrowUp: () => move(0, -50), ArrowDown: () => move(0, 50),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  let last = null;
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.pointerType === "touch") return;
    last = [event.clientX, event.clientY];
    canvas.setPointerCapture(event.pointerId);
    canvas.classList.add("moving");
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!last) return;
    move(last[0] - event.clientX, last[1] - event.clientY);
    last = [event.clientX, event.clientY];
  });
  const stop = () => { last = null; canvas.classList.remove("moving"); };
  canvas.addEventListener("pointerup", stop);
  canvas.addEventListener("pointercancel", stop);

  svg.addEventListener("pointerover", (event) => {
    const shape = event.target.closest("g.node, g.edge");
    for (const lit of svg.querySelectorAll(".lit")) lit.classList.remove("lit");
    if (!shape) return;
    info.textContent = shape.querySelector("title").textContent;
    const node = shape.dataset.node;
    if (node === undefined) return;
    for (const edge of svg.querySelectorAll(`[data-from="${node}"], [data-to="${node}"]`)) edge.classList.add("lit");
  });
  canvas.addEventListener("pointerleave", () => {
    for (const lit of svg.querySelectorAll(".lit")) lit.classList.remove("lit");
    info.textContent = hint;
  });
}
