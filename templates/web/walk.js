// Shows one step at a time, as large as the screen lets it, in up to three beats: the formula, the numbers, the result.
// Without it all steps stand below each other, as they are printed.
"use strict";
const root = document.documentElement;
root.classList.add("js");
const wished = matchMedia("(prefers-color-scheme: dark)"), follow = () => root.classList.toggle("dark", wished.matches);
wished.addEventListener("change", follow);
follow();
const steps = [...document.querySelectorAll("article")];
// What a step gives up, one after the other, until its numbers are about as large as its words: rows that the line of arithmetic
// does not take, then such columns, the tables that it starts from, the second order of the same numbers, long words in one line;
// at last it shows arithmetic and tables by turns.
const WAYS = ["", "lean", "lean stacked", "lean down", "lean leaner", "alone", "alone bare", "alone bare broken", "alone bare broken turns"];
const SHORTEST = 3, MOST_ENLARGED = 3, LARGER = 1.9, ENOUGH = 0.9;
const menu = document.querySelector("nav details");
let now = -1, beat = 0;

const beats = (step) => step.dataset.beats.split(" ");
const look = (step, more) => { step.className = "now beat-" + more; };

// The smallest letters that the last row reads on a projector; on a phone those that are read in the hand.
const smallest = () => (innerWidth >= 1000 && innerHeight >= 600 ? 24 : 16);

function fits(step, way, words, numbers) {
  step.style.setProperty("--words", words + "px");
  step.style.setProperty("--numbers", numbers + "px");
  return beats(step).every((one) => {
    look(step, one + " " + way);
    const all = [step, ...step.querySelectorAll(".wide, .flow, .inputs, .scene, .chart")];
    return all.every((box) => !box.clientWidth
      || (box.scrollWidth <= box.clientWidth + 1 && box.scrollHeight <= box.clientHeight + 1
        && box.getBoundingClientRect().right <= innerWidth + 1));
  });
}

// The largest size from `low` to `high` that passes; `low` is known to.
function largest(low, high, passes) {
  while (high - low > 0.5) {
    const middle = (low + high) / 2;
    if (passes(middle)) low = middle; else high = middle;
  }
  return low;
}

// Rows and columns of the middle are left out; the first, the last and the one that is worked through stay.
function shortened(table, high, broad) {
  const rows = [...table.tBodies[0].rows], first = rows[0].querySelectorAll("th").length;
  const wide = rows[0].cells.length - first;
  const kept = (count, most, own) => [...Array(count).keys()]
    .filter((k) => count <= most || k < most - 2 || k === own || k === count - 1);
  const down = kept(rows.length, high, rows.findIndex((row) => row.classList.contains("focus"))), across = kept(wide, broad, -1);
  rows.forEach((row, i) => {
    row.classList.toggle("cut", !down.includes(i));
    row.classList.toggle("gap", down.includes(i) && i > 0 && !down.includes(i - 1));
  });
  for (const row of table.rows) {
    [...row.cells].slice(first).forEach((cell, j) => {
      cell.classList.toggle("cut", !across.includes(j));
      cell.classList.toggle("gap-before", across.includes(j) && j > 0 && !across.includes(j - 1));
    });
  }
  return down.length < rows.length || across.length < wide;
}

function shorten(step, high, broad) {
  const cut = [...step.querySelectorAll(".wide table")].map((table) => shortened(table, high, broad)).some(Boolean);
  step.querySelector(".cutting").hidden = !cut;
}

// As many rows as there is room for, then as many columns beside them.
function leaveOut(tried) {
  const counts = [...Array(21 - SHORTEST).keys()].map((k) => 20 - k);
  const high = counts.find((count) => tried(count, SHORTEST).numbers) ?? SHORTEST;
  return tried(high, counts.find((count) => tried(high, count).numbers) ?? SHORTEST);
}

// Words are as large in every step, only where one is full they shrink; numbers grow as far as there is room.
function fit(step) {
  const least = smallest(), usual = Math.max(least, Math.min(innerWidth / 46, innerHeight / 26)), whole = WAYS.slice(0, -1);
  const best = (ways, words) => {
    let found = { way: ways.at(-1), words, numbers: 0 };
    for (const way of ways) {
      if (found.numbers >= ENOUGH * words || !fits(step, way, words, least)) continue;
      const numbers = largest(least, LARGER * usual, (size) => fits(step, way, words, size));
      if (numbers > found.numbers + 1) found = { way, words, numbers };
    }
    return found;
  };
  shorten(step, Infinity, Infinity);
  let found = best(whole, usual);
  if (!found.numbers && fits(step, whole.at(-1), least, least)) {
    found = best(whole, largest(least, usual, (size) => fits(step, whole.at(-1), size, least)));
  }
  if (!found.numbers) found = best(WAYS.slice(-1), least);
  const tried = (high, broad) => {
    shorten(step, high, broad);
    return best(WAYS.slice(-2), least);
  };
  if (!found.numbers) found = leaveOut(tried);
  const { way, words, numbers } = found;
  fits(step, way, words, numbers || least); // on a phone it scrolls
  step.dataset.way = way;
  for (const box of [step, ...step.querySelectorAll(".wide")]) {
    const region = { tabindex: "0", role: "region", "aria-label": box.dataset.name };
    const scrolls = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
    for (const [name, value] of Object.entries(region)) {
      if (scrolls) box.setAttribute(name, value); else box.removeAttribute(name);
    }
  }
}

function draw() {
  const step = steps[now];
  look(step, beats(step)[beat] + " " + step.dataset.way);
  enlarge(step);
}

// Alone, before the numbers come, the formula takes their place.
function enlarge(step) {
  const formula = step.querySelector(".formula");
  if (!formula) return;
  formula.style.transform = "";
  if (beats(step)[beat] !== "1") return;
  const place = formula.offsetTop, space = step.querySelector(".flow").offsetTop - place;
  const wide = step.clientWidth - 2 * formula.offsetLeft, size = [formula.offsetWidth, formula.offsetHeight];
  const scale = Math.max(1, Math.min(MOST_ENLARGED, wide / size[0], (0.8 * space) / size[1]));
  formula.style.transform = `translate(${(wide - scale * size[0]) / 2}px, ${Math.max(0, space - scale * size[1]) / 2}px) scale(${scale})`;
}

// The list of sheets lies over the table, so it stays no longer than it is wanted.
function shut() {
  if (!menu?.open) return;
  if (menu.contains(document.activeElement)) menu.querySelector("summary").focus();
  menu.open = false;
}
addEventListener("click", (event) => { if (!menu?.contains(event.target)) shut(); });

function show(place, at = 0) {
  const before = now;
  shut();
  now = Math.min(Math.max(place, 0), steps.length - 1);
  const count = beats(steps[now]).length;
  beat = Math.min(Math.max(at < 0 ? count + at : at, 0), count - 1);
  if (now !== before) {
    if (before >= 0) steps[before].className = "";
    steps[now].className = "now";
    fit(steps[now]);
    const said = [...steps[now].querySelectorAll(".place span:last-child, h1")].map((one) => one.textContent);
    document.getElementById("said").textContent = said.reverse().join(": ");
    if (!parent.desk) history.replaceState(null, "", "#" + steps[now].id);
    steps[now].scrollTo(0, 0);
  }
  draw();
}

function on() {
  if (beat + 1 < beats(steps[now]).length) show(now, beat + 1);
  else if (now + 1 < steps.length) show(now + 1);
}

function back() {
  if (beat) show(now, beat - 1);
  else if (now) show(now - 1, -1);
}

const ways = {
  ArrowRight: on, PageDown: on, " ": on, Enter: on, ArrowLeft: back, PageUp: back, b: back, Backspace: back,
  ArrowDown: () => show(now + 1), ArrowUp: () => show(now - 1), Home: () => show(0), End: () => show(steps.length - 1, -1),
  f: full, Escape: shut,
};
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest(".wide[tabindex]")) return;
  if (event.target.closest("button, a, summary") && [" ", "Enter"].includes(event.key)) return;
  if (!(event.key in ways)) return;
  ways[event.key]();
  event.preventDefault();
});

function full() {
  if (document.fullscreenElement) document.exitFullscreen();
  else root.requestFullscreen?.();
}

// The step that an address ends with, else the first.
const named = (hash) => steps.findIndex((one) => "#" + one.id === hash);

// A tap or a click anywhere goes on, on the left edge back; whoever marks words, scrolls a table or shuts the list does not leave.
document.querySelector("main").addEventListener("click", (event) => {
  const chapter = event.target.closest(".map a");
  if (chapter) {
    event.preventDefault();
    return show(named(chapter.hash));
  }
  if (menu?.open || getSelection().toString() || event.target.closest(".wide[tabindex]")) return;
  if (event.clientX < innerWidth / 6) back(); else on();
});
const buttons = { on, back, full, home: () => show(0), dark: () => root.classList.toggle("dark"), print: () => print() };
for (const [name, act] of Object.entries(buttons)) document.getElementById(name)?.addEventListener("click", act);

// What the line of arithmetic does not take.
for (const table of document.querySelectorAll(".inputs table")) {
  const rows = [...table.rows], taken = rows.map((row) => [...row.cells].map((cell) => cell.classList.contains("read")));
  if (!table.querySelector(".read")) continue;
  const heads = table.tHead ? 1 : 0;
  rows.forEach((row, i) => {
    row.classList.toggle("far", i >= heads && !taken[i].includes(true));
    [...row.cells].forEach((cell, j) => cell.classList.toggle("far", j >= heads && !taken.some((one) => one[j])));
  });
}
function again() {
  fit(steps[now]);
  draw();
}
addEventListener("resize", again);
show(named(location.hash));
document.fonts.addEventListener("loadingdone", again); // a step may have signs of another font
