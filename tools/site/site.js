// SPDX-License-Identifier: BSD-3-Clause
// Every element of the class `play` becomes an editor whose lines run while one types; every block of
// an example gets a button that makes it one.
"use strict";

const LIMIT = 4000;   // milliseconds that a program may take before its thread is ended
const CELLS = 480;    // most cells of memory that are drawn
const ROW = 24;       // cells in a row of memory

/* ---- the thread that computes ------------------------------------------------------------------ */

/* Bytes of a module with one instruction on vectors: whether a browser knows these. */
const VECTORS = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0,
  253, 15, 253, 98, 11]);

function missing() {
  if (typeof WebAssembly !== "object") return "This browser has no WebAssembly, so nothing can be computed here.";
  if (!WebAssembly.validate(VECTORS))
    return "This browser has WebAssembly without SIMD (vectors of 128 bits), which Stria needs here: newer ones have it.";
  if (typeof Worker !== "function") return "This browser has no threads for pages (Worker), so nothing is computed here.";
  if (typeof DecompressionStream !== "function")
    return "This browser cannot unpack what it would run (DecompressionStream): newer ones can.";
  return "";
}

const thread = {worker: null, number: 0, waiting: new Map()};
const here = new URL(document.currentScript.src);

function endThread(words) {
  if (thread.worker) thread.worker.terminate();
  thread.worker = null;
  for (const one of thread.waiting.values()) {
    clearTimeout(one.timer);
    one.reject(new Error(words));
  }
  thread.waiting.clear();
}

function evaluate(text) {
  if (!thread.worker) {
    thread.worker = new Worker(new URL("worker.js", here));
    thread.worker.onerror = event => endThread(event.message || "worker.js was not loaded");
    thread.worker.onmessage = message => {
      const {number, started, told, failed} = message.data, one = thread.waiting.get(number);
      if (!one) return;
      if (started) {
        one.timer = setTimeout(() => endThread("ended after " + LIMIT / 1000 + " seconds: too much work for a page"), LIMIT);
        return;
      }
      clearTimeout(one.timer);
      thread.waiting.delete(number);
      if (failed) {
        one.reject(new Error(failed));
        endThread(failed); // its memory may be in any state
      } else one.resolve(told);
    };
  }
  const number = ++thread.number;
  return new Promise((resolve, reject) => {
    thread.waiting.set(number, {resolve, reject, timer: 0});
    thread.worker.postMessage({number, text});
  });
}

/* ---- pictures ---------------------------------------------------------------------------------- */

function element(name, attributes, ...children) {
  const svg = ["svg", "rect", "text", "path", "g", "title"].includes(name);
  const made = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const tuple = list => "(" + list.join(", ") + (list.length === 1 ? ",)" : ")");

/* Calls seen(byte, place) for each element of a view, at most `most` of them, in C order. */
function walk(shape, strides, offset, most, seen) {
  const index = shape.map(() => 0);
  if (shape.includes(0)) return;
  for (let place = 0; place < most; place++) {
    seen(offset + index.reduce((sum, i, d) => sum + i * strides[d], 0), place);
    let d = shape.length - 1;
    for (; d >= 0 && ++index[d] === shape[d]; d--) index[d] = 0;
    if (d < 0) return;
  }
}

/* The colour of a place in memory: cells of the same colour are the same bytes. */
function colours(array) {
  let low = Infinity, high = -Infinity;
  walk(array.shape, array.strides, array.offset, 65536, at => { low = Math.min(low, at); high = Math.max(high, at); });
  const span = Math.max(1, high - low);
  return at => "--hue:" + Math.round(240 * (at - low) / span);
}

function drawMemory(array, colour) {
  const size = array.itemsize, start = array.offset % size;
  const all = Math.floor((array.memory - start) / size), touched = new Map();
  if (!size || all < 1) return "";
  walk(array.shape, array.strides, array.offset, 65536, at => touched.set((at - start) / size, at));
  const values = new Map();
  walk(array.corner, array.strides, array.offset, array.elements.length,
    (at, place) => values.set((at - start) / size, array.elements[place]));
  const cells = Math.min(all, CELLS), rows = Math.ceil(cells / ROW), row = Math.min(cells, ROW);
  const wide = 26, high = 22, arcs = 20, width = Math.max(row, 12) * wide;
  const svg = element("svg", {viewBox: "-1 " + -arcs + " " + (width + 2) + " " + (rows * (high + 4) + arcs),
    role: "img", class: "memory", style: "max-width:min(100%," + 1.4 * width + "px)"});
  svg.setAttribute("aria-label", "memory: " + all + " items, of which the view has " + touched.size);
  for (let i = 0; i < cells; i++) {
    const x = i % ROW * wide, y = Math.floor(i / ROW) * (high + 4), at = touched.get(i);
    const cell = element("g", {"data-at": start + i * size, class: at === undefined ? "hollow" : "cell"},
      element("title", {}, "byte " + (start + i * size)),
      element("rect", {x: x + 1, y, width: wide - 2, height: high, rx: 2}));
    if (at !== undefined) cell.setAttribute("style", colour(at));
    const word = values.get(i);
    if (word !== undefined && word.length < 5)
      cell.append(element("text", {x: x + wide / 2, y: y + 15, "text-anchor": "middle"}, word));
    svg.append(cell);
  }
  // A step along each dim from the first element on, where it stays in one row.
  const from = (array.offset - start) / size;
  array.shape.forEach((n, d) => {
    const to = from + array.strides[d] / size;
    if (n < 2 || !array.strides[d] || to !== Math.floor(to) || to >= cells || to < 0) return;
    if (Math.floor(from / ROW) !== 0 || Math.floor(to / ROW) !== 0) return;
    const a = (from + .5) * wide, b = (to + .5) * wide, top = -Math.min(arcs - 3, 5 + Math.abs(b - a) / 8);
    svg.append(element("path", {d: `M${a} 0 Q${(a + b) / 2} ${2 * top} ${b} 0`, class: "step"},
      element("title", {}, "dim " + d + ": " + array.strides[d] + " bytes")));
  });
  const words = all > cells ? ` (the first ${cells} of ${all} items)` : "";
  return element("figure", {}, svg, element("figcaption", {},
    "memory" + (array.of ? " of " + array.of : "") + ": " + array.memory + " bytes, one cell for " + size + words));
}

/* Tables of the last two dims: up to three of them, along the dim before. */
function drawElements(array, colour) {
  const dims = array.shape.length, corner = array.corner.slice(Math.max(0, dims - 3));
  while (corner.length < 3) corner.unshift(1);
  const [layers, rows, columns] = corner, places = [];
  walk(array.corner, array.strides, array.offset, array.elements.length, at => places.push(at));
  const box = element("div", {class: "layers"});
  for (let l = 0, place = 0; l < layers && places.length; l++) {
    const table = element("table", {class: "elements"});
    for (let r = 0; r < rows; r++) {
      const line = element("tr");
      for (let c = 0; c < columns; c++, place++)
        line.append(element("td", {style: colour(places[place]), "data-at": places[place],
          title: "byte " + places[place]}, array.elements[place]));
      if (dims && array.shape[dims - 1] > columns) line.append(element("td", {class: "more"}, "…"));
      table.append(line);
    }
    if (dims > 1 && array.shape[dims - 2] > rows) table.append(element("tr", {}, element("td", {class: "more"}, "⋮")));
    box.append(table);
  }
  if (dims > 2 && array.shape[dims - 3] > layers) box.append(element("span", {class: "more"}, "…"));
  return box;
}

function drawStrides(array) {
  const list = array.shape.map((n, d) => `dim ${d}: ${n} × ${String(array.strides[d]).replace("-", "−")} bytes`);
  return element("p", {class: "strides"}, array.says + (list.length ? ". " + list.join(", ") : ""));
}

function drawArray(array) {
  const colour = colours(array), many = array.shape.reduce((a, b) => a * b, 1) > array.elements.length;
  const made = element("div", {class: "array"}, drawStrides(array), drawElements(array, colour), drawMemory(array, colour));
  if (many) made.append(element("pre", {}, array.text));
  made.addEventListener("pointerover", event => mark(made, event.target.closest("[data-at]")));
  made.addEventListener("pointerleave", () => mark(made, null));
  return made;
}

/* Marks an element and its place in memory together. */
function mark(box, cell) {
  for (const old of box.querySelectorAll(".marked")) old.classList.remove("marked");
  if (!cell) return;
  for (const same of box.querySelectorAll(`[data-at="${cell.dataset.at}"]`)) same.classList.add("marked");
}

function drawSteps(steps) {
  const copies = steps.filter(step => step.kind === "copy").length, views = steps.length - copies;
  const counted = (n, word) => n + " " + word + (n === 1 ? "" : word === "copy" ? "" : "s");
  const words = [views && counted(views, "view"), copies && (copies === 1 ? "1 new array" : copies + " new arrays")];
  const list = element("ol");
  for (const step of steps)
    list.append(element("li", {}, element("code", {}, step.text), " ", element("b", {class: step.kind}, step.kind), " ",
      step.shape ? tuple(step.shape) + ", strides " + tuple(step.strides) : "",
      step.how ? element("small", {}, step.how) : ""));
  return element("details", {}, element("summary", {}, "explain: " + words.filter(Boolean).join(", ")), list);
}

function drawLine(line, source) {
  const made = element("section", {"data-line": line.line});
  made.append(element("h3", {}, element("code", {}, source.trim())));
  if (line.error !== undefined)
    made.append(element("p", {class: "refused"}, "column " + line.column + ": " + line.error));
  if (line.answer !== undefined) made.append(element("pre", {class: "answer"}, line.answer));
  for (const array of line.arrays || []) made.append(drawArray(array));
  if (line.more) made.append(element("p", {}, "and " + line.more + " more arrays"));
  if (line.steps && line.steps.length) made.append(drawSteps(line.steps));
  return made;
}

/* ---- editors ----------------------------------------------------------------------------------- */

function makeEditor(place, text, linked) {
  const why = missing();
  const input = element("textarea", {spellcheck: "false", autocapitalize: "off", autocomplete: "off",
    "aria-label": "lines of text over arrays"});
  const state = element("p", {class: "state", role: "status"}, why || "loading …");
  const output = element("div", {class: "output"});
  input.value = text;
  place.replaceChildren(input, state, output);
  let wanted = 0;
  const fit = () => { input.rows = input.value.split("\n").length + 1; };
  const show = async () => {
    const mine = ++wanted, now = input.value;
    fit();
    if (why) return;
    if (linked) history.replaceState(null, "", "#" + encodeURIComponent(now));
    try {
      const begun = performance.now(), told = await evaluate(now), lines = now.split("\n");
      if (mine !== wanted) return;
      output.replaceChildren(...told.lines.map(line => drawLine(line, lines[line.line - 1])).reverse());
      state.textContent = `Stria ${told.version} (${told.isa}, one thread), ${(performance.now() - begun).toFixed(1)} ms`;
      if (!window.firstResult) window.firstResult = performance.now();
    } catch (error) {
      if (mine === wanted) state.textContent = error.message;
    }
  };
  let timer = 0;
  input.addEventListener("input", () => {
    clearTimeout(timer);
    fit();
    timer = setTimeout(show, 80);
  });
  show();
  return input;
}

for (const place of document.querySelectorAll(".play")) {
  const linked = place.hasAttribute("data-linked"), text = place.querySelector("pre").textContent.trim();
  let given = "";
  try { given = linked ? decodeURIComponent(location.hash.slice(1)) : ""; } catch (error) { /* a link that was cut */ }
  const input = makeEditor(place, given || text, linked);
  for (const choice of document.querySelectorAll("[data-example]"))
    choice.addEventListener("click", () => {
      input.value = choice.dataset.example;
      input.dispatchEvent(new Event("input"));
      input.scrollIntoView({block: "nearest"});
    });
}

for (const example of document.querySelectorAll("pre.example")) {
  const button = element("button", {type: "button"}, "run");
  button.addEventListener("click", () => {
    const place = element("div", {class: "play"});
    example.replaceWith(place);
    makeEditor(place, example.dataset.program, false).focus();
  });
  example.prepend(button);
}

/* ---- functions by name ------------------------------------------------------------------------- */

for (const filter of document.querySelectorAll(".filter"))
  filter.addEventListener("input", () => {
    const words = filter.value.toLowerCase().split(" ");
    for (const list of document.querySelectorAll(".functions")) {
      let shown = 0;
      for (const one of list.children) {
        const text = one.textContent.toLowerCase();
        one.hidden = !words.every(word => text.includes(word));
        shown += !one.hidden;
      }
      list.previousElementSibling.hidden = !shown;
    }
  });
