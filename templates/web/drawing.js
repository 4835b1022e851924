// Draws the sentence while it is typed: the server gives shares and texts, this file lines and bars.
"use strict";
const drawing = document.getElementById("drawing");
let drawn = null; // what the server drew last
let why = ""; // why it does not draw what is typed now
let focus = 0, head = 0;
const THIN = 1.5, THICK = 10; // px of an arc with the least and with the most of a word's attention

const svg = (name, values) => {
  const one = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(values)) one.setAttribute(key, value);
  return one;
};
const html = (name, text, values) => Object.assign(document.createElement(name), { textContent: text, ...values });
const part = (name) => drawing.querySelector("." + name);

// An arc to each word that is seen, the thicker the larger its share, to the word itself a small one;
// the one with most stands out, those of the other words are hairlines behind them. They begin side by side.
function arcs(rows, width, high) {
  const at = (j) => (j + 0.5) * width / drawn.words.length;
  const picture = svg("svg", { width, height: high, "aria-hidden": true });
  const most = Math.max(...rows[focus].shares.map((share) => share?.[0] ?? 0));
  const arc = (i, j, share) => {
    const side = i === focus ? 20 : 13;
    const beside = i === focus ? Math.max(-16, Math.min(16, (i - j) * 5)) : 0;
    const from = at(i) + (j === i ? -side : beside), to = at(j) + (j === i ? side : 0);
    const top = high - 14 - (high - 30) * Math.max(0.35, Math.abs(j - i) / drawn.words.length) * 1.3;
    const path = `M${from} ${high - 4} C${from} ${top} ${to} ${top} ${to} ${high - 12}`;
    const thick = i === focus ? THIN + (THICK - THIN) * (share / most) ** 3 : 0.8;
    const kind = i !== focus ? "pale" : share === most ? "most" : "";
    picture.append(svg("path", { d: path, class: `arc ${kind}`, "stroke-width": thick }));
    if (i === focus) picture.append(svg("path", { d: `M${to - 6} ${high - 13}h12l-6 10z`, class: `tip ${kind}` }));
  };
  const order = rows.map((row, i) => i).sort((i, k) => (i === focus) - (k === focus));
  for (const i of order) {
    const seen = rows[i].shares.map((share, j) => [share?.[0] ?? 0, j]).filter(([share]) => share);
    if (seen.length === 1 && seen[0][1] === i) continue; // who sees nobody else has nowhere to look
    for (const [share, j] of seen.sort(([one], [other]) => one - other)) arc(i, j, share);
  }
  return picture;
}

function bars() {
  return drawn.next.map(([word, share, shown]) => {
    const line = html("li"), bar = svg("svg", { "aria-hidden": true });
    bar.append(svg("rect", { width: `${100 * share / drawn.next[0][1]}%`, height: "100%" }));
    line.append(html("span", word, { title: word }), bar, html("span", shown));
    return line;
  });
}

function draw() {
  const lines = drawn.heads[head]?.rows, row = lines?.[focus];
  const count = drawn.words.length;
  part("side").hidden = !drawn.next.length;
  const longest = Math.max(4, ...drawn.words.map((word) => word.length));
  const wide = Math.max(Math.min(part("scroll").clientWidth, 150 * count), Math.min(62, 6.2 * longest + 6) * count);
  const buttons = drawn.words.map((word, i) => {
    const button = html("button", word, { type: "button", disabled: !row });
    button.setAttribute("aria-pressed", String(Boolean(row) && i === focus));
    const most = row?.shares[i]?.[0] && row.shares.every((one) => (one?.[0] ?? 0) <= row.shares[i][0]);
    button.append(html("small", row?.shares[i]?.[1] ?? "–", { className: most ? "most" : "" }));
    button.dataset.word = i;
    return button;
  });
  part("words").replaceChildren(...buttons);
  part("words").style.fontSize = `${Math.min(16, Math.max(11, 1.75 * (wide / count - 8) / longest))}px`;
  for (const name of ["words", "arcs"]) part(name).style.width = `${wide}px`;
  part("arcs").replaceChildren(...(row && count > 1 ? [arcs(lines, wide, 130)] : []));
  part("scroll").scrollLeft = (focus + 0.5) * wide / count - part("scroll").clientWidth / 2;
  part("next").replaceChildren(...bars());
  part("lead").hidden = !row || count < 2;
  part("wide").hidden = part("scroll").scrollWidth <= part("scroll").clientWidth;
  part("invented").textContent = drawn.invented;
  const names = drawn.heads.map((one, i) => new Option(one.name, i, false, i === head));
  part("heads").replaceChildren(...names);
  part("heads").hidden = names.length < 2;
}

// A drawing that is another sentence's is pale and takes nothing.
function say(text, old = false, red = old) {
  part("told").textContent = text;
  part("told").classList.toggle("problem", red);
  drawing.classList.toggle("old", old);
  for (const name of ["shown", "heads"]) part(name).inert = old;
}

function tell() {
  say([drawn.heads[head]?.rows[focus]?.told, drawn.free, drawn.next_told].filter(Boolean).join(" "));
}

// What cannot be drawn is said at its field.
async function sketch(asked, signal) {
  const answer = await desk.ask("/drawing?" + asked, { signal });
  const found = await answer.json();
  why = Object.values(found.problems ?? {}).join(" ");
  if (why) {
    say("", true);
    return refuse(found.problems);
  }
  const beside = ({ words, focus, head, free }) => String([words, focus, head, free]);
  if (!drawn || beside(drawn) !== beside(found)) [focus, head] = [found.focus, found.head ?? 0]; // those of the sheet
  head = Math.min(head, Math.max(found.heads.length - 1, 0));
  drawn = found;
  part("shown").hidden = false;
  draw();
  tell();
}

drawing.addEventListener("click", (event) => {
  const button = event.target.closest("[data-word]");
  if (!button) return;
  focus = Number(button.dataset.word);
  draw();
  tell();
  part("words").children[focus].focus();
});
part("heads").addEventListener("change", (event) => {
  head = Number(event.target.value);
  draw();
  tell();
});
new ResizeObserver(() => drawn && draw()).observe(drawing);
