
// Playing runs. The steps are data; only what is in sight is an element.
{
  const HEIGHT = 22, AROUND = 40;
  const texts = JSON.parse(document.getElementById("texts")?.textContent ?? "[]");
  const element = (kind, name, text) => {
    const made = document.createElement(kind);
    if (name) made.className = name;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  for (const stepper of document.querySelectorAll(".stepper")) {
    const run = JSON.parse(stepper.querySelector("script").textContent);
    const { strings, steps } = run;
    const part = (name) => stepper.querySelector(name);
    const [list, all, source, values, now, slider] =
      [".list", ".all", ".source", ".values", ".now", "input[type=range]"].map(part);
    const repeats = run.repeats_from;
    // 0 is the start, n is after step n.
    let at = 0, timer = null;
    const held = new Map(run.initial.map(([name, value]) => [strings[name], strings[value]]));

    const changes = (step) => {
      const found = [];
      for (let i = 6; i + 2 < step.length; i += 3) found.push([strings[step[i]], strings[step[i + 1]], strings[step[i + 2]]]);
      return found;
    };
    const label = (step) => [strings[step[1]], strings[step[2]], strings[step[3]]].filter((text) => text).join("  ");

    // The rows of the list that are in sight.
    let drawn = "";
    const rows = () => {
      const first = Math.max(0, Math.floor(list.scrollTop / HEIGHT) - 5);
      const last = Math.min(steps.length, first + Math.ceil(list.clientHeight / HEIGHT) + 10);
      const key = `${first} ${last} ${at}`;
      if (key === drawn) return;
      drawn = key;
      const made = [];
      for (let row = first; row < last; row++) {
        const line = element("div", row + 1 === at ? "step here" : "step");
        line.style.top = `${row * HEIGHT}px`;
        line.setAttribute("role", "option");
        line.setAttribute("aria-selected", String(row + 1 === at));
        line.append(element("b", "", steps[row][0] || ""), label(steps[row]));
        line.addEventListener("click", () => go(row + 1));
        made.push(line);
      }
      all.replaceChildren(...made);
    };
    const listing = () => {
      const step = steps[at - 1];
      const text = step && step[4] ? texts[step[4] - 1] : undefined;
      if (!text) return;
      const made = [element("div", "line", `${text.name}`)];
      if (!text.lines.length) made.push(element("div", "line", "This file is too large to be shown here."));
      const from = Math.max(1, step[5] - AROUND), to = Math.min(text.lines.length, step[5] + AROUND);
      let here = null;
      for (let number = from; number <= to; number++) {
        const line = element("div", number === step[5] ? "line here" : "line");
        line.append(element("b", "", number), text.lines[number - 1]);
        if (number === step[5]) { here = line; line.setAttribute("aria-current", "true"); }
        made.push(line);
      }
      source.replaceChildren(...made);
      if (here) source.scrollTop = here.offsetTop - source.offsetTop - source.clientHeight / 2;
    };
    const show = () => {
      slider.value = at;
      const step = steps[at - 1];
      const end = at === steps.length && repeats !== null ? `; then step ${steps[repeats][0] || repeats + 1} follows again` : "";
      now.textContent = step ? `${step[0] ? `Step ${step[0]}: ` : ""}${label(step)}${end}` : "Before the first step";
      slider.setAttribute("aria-valuetext", now.textContent);
      const top = (at - 1) * HEIGHT;
      if (top < list.scrollTop || top + HEIGHT > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
      rows();
      listing();
      const fresh = new Set(step ? changes(step).map(([name]) => name) : []);
      values.replaceChildren(...[...held].map(([name, value]) => {
        const line = element("div");
        line.append(`${name} = `, element("span", fresh.has(name) ? "changed" : "", value));
        return line;
      }));
    };
    // One step forwards or backwards changes a few values only.
    const go = (to) => {
      to = Math.max(0, Math.min(steps.length, to));
      while (at < to) for (const [name, , value] of changes(steps[at++])) held.set(name, value);
      while (at > to) for (const [name, value] of changes(steps[--at]).reverse()) held.set(name, value);
      show();
    };
    const next = () => go(at === steps.length && repeats !== null ? repeats + 1 : at + 1);
    const play = (on) => {
      clearInterval(timer);
      timer = on ? setInterval(() => { next(); if (at === steps.length && repeats === null) play(false); }, 600) : null;
      const button = part("[data-go=play]");
      button.setAttribute("aria-pressed", String(on));
      button.textContent = on ? "Pause" : "Play";
    };
    const acts = {
      first: () => go(0), back: () => go(at - 1), next, last: () => go(steps.length), play: () => play(!timer),
    };
    for (const button of stepper.querySelectorAll("[data-go]")) button.addEventListener("click", () => acts[button.dataset.go]());
    slider.addEventListener("input", () => go(Number(slider.value)));
    list.addEventListener("scroll", rows, { passive: true });
    stepper.addEventListener("keydown", (event) => {
      if (event.target.matches("input") || event.ctrlKey || event.metaKey || event.altKey) return;
      const keys = {
        ArrowRight: "next", ArrowDown: "next", ArrowLeft: "back", ArrowUp: "back", Home: "first", End: "last",
      };
      const act = event.key === " " && !event.target.matches("button") ? "play" : keys[event.key];
      if (!act) return;
      event.preventDefault();
      acts[act]();
    });
    part(".find").addEventListener("submit", (event) => {
      event.preventDefault();
      const wanted = part("input[type=search]").value.toLowerCase();
      if (!wanted) return;
      const fits = (step) => label(step).toLowerCase().includes(wanted)
        || changes(step).some((change) => `${change[0]} = ${change[2]}`.toLowerCase().includes(wanted));
      for (let count = 0; count < steps.length; count++) {
        const row = (at + count) % steps.length;
        if (fits(steps[row])) { go(row + 1); return; }
      }
      now.textContent = "No step has that in it.";
    });

    stepper.hidden = false;
    source.hidden = !steps.some((step) => step[4] && texts[step[4] - 1]);
    all.style.height = `${steps.length * HEIGHT}px`;
    // The end is what matters, the start is where to begin: the first step.
    go(1);
  }

  // On paper, all folds are open.
  let folded = [];
  window.addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    for (const fold of folded) fold.open = true;
  });
  window.addEventListener("afterprint", () => { for (const fold of folded) fold.open = false; });
}
