// Shows at once what the answers come to; without it the page works by its buttons.
"use strict";
document.documentElement.classList.add("js");
// What asks the server; where there is none, the page around this one has a desk that answers.
const desk = parent.desk ?? {
  ask: (address, how) => fetch(address, how),
  at: (address) => address,
  keep: (address) => history.replaceState(null, "", address),
};
const form = document.getElementById("questions");
const frame = document.querySelector("#look iframe");
const { at, as } = document.getElementById("look").dataset, look = { shown: at, variant: as }; // what the address asks for
let waiting, request, sketching, sketched, typing, wanted;

function query(more) {
  const fields = new FormData(form);
  fields.delete("list");
  const found = new URLSearchParams(fields);
  found.set("lang", document.documentElement.lang);
  for (const [name, value] of Object.entries(more || {})) value === null ? found.delete(name) : found.set(name, value);
  return found.toString();
}

// What is wrong is shown at once, and nothing is told of the sentence and the model before; the rest
// stays as it was until the answers fit again.
function take(page, good) {
  for (const old of document.querySelectorAll(good ? "[data-live]" : ".problem[data-live], #ways, #new-words, #sentence-note")) {
    const now = page.getElementById(old.id);
    if (now && now.innerHTML !== old.innerHTML) old.innerHTML = now.innerHTML;
    if (now && now.hasAttribute("href")) old.setAttribute("href", now.getAttribute("href"));
  }
  mark();
  tabbed();
  document.title = page.title;
  if (good) form.elements.sentence.placeholder = page.getElementById("sentence").placeholder;
  for (const link of document.querySelectorAll("[data-variant]")) {
    link.setAttribute("aria-current", String(link.dataset.variant === look.variant));
  }
}

// Many tabs stand in one row, that of the sheet below in sight.
function tabbed() {
  const now = document.querySelector("#tabs [aria-current]");
  if (now) now.parentElement.scrollLeft = now.offsetLeft - (now.parentElement.clientWidth - now.offsetWidth) / 2;
}

function mark() {
  for (const one of document.querySelectorAll(".problem[data-live]")) {
    form.querySelector(`[aria-describedby~="${one.id}"]`)?.setAttribute("aria-invalid", String(Boolean(one.textContent.trim())));
  }
}

// The drawing says what is wrong before the page does.
function refuse(problems) {
  for (const [name, text] of Object.entries(problems)) {
    const there = document.getElementById("problem-" + name);
    if (!there.textContent.includes(text)) there.textContent = text; // the page's has a way out beside it
  }
  for (const name of ["ways", "new-words", "sentence-note"]) document.getElementById(name).replaceChildren();
  mark();
  stale();
}

// From the first key until it is loaded, the sheet is that of other answers.
function computing(on) {
  document.documentElement.classList.toggle("computing", on);
  if (on) wanted = "";
  over();
}

function over() {
  const text = document.getElementById("stale"), { classList } = document.documentElement;
  text.firstElementChild.textContent = classList.contains("refused") ? text.dataset.waits
    : classList.contains("computing") ? text.dataset.computing : "";
}

frame.addEventListener("load", () => {
  frame.dataset.there = frame.src;
  if (wanted === frame.src) computing(false);
});

// For a class, how much paper it takes; laying it out is work, so that is asked for when nothing more is typed.
let counting;
function leaves() {
  const shown = document.getElementById("leaves"), asked = query();
  clearTimeout(counting);
  if (shown.dataset.asked === asked) return;
  shown.dataset.asked = asked;
  shown.textContent = "";
  if (form.elements.who.value === "me" || form.elements.exam.checked) return;
  counting = setTimeout(async () => {
    shown.textContent = shown.dataset.counting;
    const text = await desk.ask("/leaves?" + asked).then((answer) => (answer.ok ? answer.text() : "")).catch(() => "");
    if (shown.dataset.asked === asked) shown.textContent = text;
  }, 1000);
}

async function update() {
  computing(true);
  request?.abort();
  request = new AbortController();
  const asked = query(look);
  try {
    const answer = await desk.ask("/?" + asked, { signal: request.signal });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    take(page, answer.ok);
    stale();
    if (!answer.ok) return computing(false);
    leaves();
    // A solution is opened where it is solved; on a phone that would take the eyes from the field.
    const leaf = look.variant === "solution" && !phone.matches && !parent.desk ? "#work" : "";
    frame.src = desk.at("/sheet?" + asked) + leaf;
    wanted = frame.src;
    if (frame.dataset.there === wanted) computing(false);
    desk.keep("/?" + query());
  } catch (error) {
    if (error.name === "AbortError") return;
    computing(false);
    stale(drawing.dataset.offline);
    const mine = request;
    setTimeout(() => request === mine && update(), 3000);
  }
}

// A sheet of another sentence or model would be taken for this one's and is pale. What is wrong
// stands at its field; that something is, above the button. A number of pupils that cannot be taken
// changes no sheet.
function stale(offline) {
  const said = (name) => document.getElementById("problem-" + name)?.textContent.trim();
  const wrong = offline ?? ["sentence", "preset", "lesson", "sheets", "header"].map(said).filter(Boolean).join(" ");
  const summary = document.getElementById("summary");
  const red = wrong || ["level", "pupils", "list", "minutes"].some(said) || (form.elements.who.value === "list" && document.querySelector("#people .problem"));
  if (red) summary.textContent = offline ?? summary.parentElement.dataset.red;
  summary.classList.toggle("problem", Boolean(red));
  document.documentElement.classList.toggle("refused", Boolean(wrong));
  over();
  if (!wrong && why) say(why, true); // what the sheets can show and the drawing cannot
}

// The drawing goes with each keystroke; that it fails or takes long is said in its place.
async function drawNow() {
  sketched?.abort();
  const mine = sketched = new AbortController(), asked = query(look);
  const slow = setTimeout(() => say(drawing.dataset.slow, true, false), 2500);
  try {
    await sketch(asked, mine.signal);
  } catch (error) {
    if (error.name === "AbortError") return;
    say(drawing.dataset.offline, true);
    setTimeout(() => sketched === mine && drawNow(), 3000);
  } finally {
    clearTimeout(slow);
  }
}

// An own choice begins with the sheets that were chosen until then.
function showSheets() {
  const boxes = [...form.elements.sheets], more = boxes[0].closest("details");
  const chosen = [...document.querySelectorAll("[data-shown]")].map((one) => one.dataset.shown);
  if (!boxes.some((one) => one.checked)) boxes.forEach((one) => { one.checked = chosen.includes(one.value); });
  more.open = true;
  more.scrollIntoView({ block: "nearest" });
}

// A list that is too large is not sent at all, one that is missing is asked for at its field;
// what is hidden for one set is not sent and cannot be wrong.
function checkWhom() {
  const list = form.elements.list, [file] = list.files, whom = form.elements.who.value;
  list.required = whom === "list";
  form.elements.minutes.disabled = whom === "me";
  for (const name of ["complete", "notebook"]) form.elements[name].disabled = whom !== "me";
  const sure = document.querySelector("#people .sure");
  if (sure) sure.required = list.required;
  const big = list.required && file && file.size > Number(list.dataset.most);
  list.setCustomValidity(big ? list.dataset.big : list.required && !file ? list.dataset.none : "");
}

// Who stands on the list is said before anything is made for them, or why nobody can be read.
async function people() {
  const list = form.elements.list, [file] = list.files, shown = document.getElementById("people");
  shown.replaceChildren();
  if (!file || !list.checkValidity()) return;
  const sent = new FormData();
  sent.set("list", file);
  const how = { method: "POST", form: sent, body: sent }; // the desk takes a form, a server a body
  const answer = await desk.ask("/list?lang=" + document.documentElement.lang, how);
  const text = await answer.text();
  if (list.files[0] !== file) return;
  shown.innerHTML = text;
  update();
  shown.scrollIntoView({ block: "nearest" });
}

// A list that is dropped or typed is one that was chosen.
function listed(file) {
  const chosen = new DataTransfer(), list = form.elements.list;
  if (file) chosen.items.add(file);
  list.files = chosen.files;
  list.dispatchEvent(new Event("input", { bubbles: true }));
}

function pasted() {
  const { value, dataset } = document.getElementById("pasted");
  listed(value.trim() && new File([value], dataset.name, { type: "text/plain" }));
}

function soon() {
  computing(true);
  clearTimeout(sketching);
  sketching = setTimeout(drawNow, 60);
  clearTimeout(waiting);
  waiting = setTimeout(update, 300);
}

form.addEventListener("input", (event) => {
  if (event.target.id === "pasted") {
    clearTimeout(typing);
    typing = setTimeout(pasted, 400);
    return;
  }
  if (event.target.name === "lesson") look.shown = "";
  if (event.target.name === "list" && event.isTrusted) document.getElementById("pasted").value = ""; // one list counts
  if (event.target.name === "list") form.querySelector("[name=who][value=list]").checked = true;
  if (event.target.name === "pupils") form.querySelector("[name=who][value=number]").checked = true;
  if (event.target.name === "lesson" && event.target.value === "own") showSheets();
  if (event.target.name === "sheets") form.querySelector("[name=lesson][value=own]").checked = true;
  checkWhom();
  if (event.target.name === "list") people();
  soon();
});
// Enter shows what was typed; what is made takes the button.
form.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches("input:not([type=file])")) return;
  event.preventDefault();
  drawNow();
  update();
});
// What was pressed is said until the next page is there; who comes back from it finds the button again.
function ordered(on) {
  const finish = form.querySelector(".finish"), summary = document.getElementById("summary");
  finish.classList.toggle("ordered", on);
  if (on) summary.textContent = finish.dataset.ordered;
}
addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  ordered(false);
  update();
});
// A refusal leads back to the answers by the address that they were sent to.
form.addEventListener("submit", (event) => {
  if (event.submitter?.matches(".go")) ordered(true);
  if (!form.elements.list.required) form.elements.list.value = ""; // names that nobody needs stay here
  form.setAttribute("action", "/make?" + query());
});
// A file may be dropped anywhere: the browser would leave the page for it.
const dragged = (event) => event.dataTransfer?.types.includes("Files");
const dragging = (on) => document.documentElement.classList.toggle("dragging", on);
addEventListener("dragover", (event) => {
  if (!dragged(event)) return;
  event.preventDefault();
  dragging(true);
});
addEventListener("dragleave", (event) => event.relatedTarget || dragging(false));
addEventListener("drop", (event) => {
  if (!dragged(event)) return;
  event.preventDefault();
  dragging(false);
  document.getElementById("pasted").value = "";
  listed(event.dataTransfer.files[0]);
  document.getElementById("people").scrollIntoView({ block: "center" });
});
document.getElementById("link").addEventListener("click", async (event) => {
  if (!navigator.clipboard) return; // where nothing can be copied the link is opened
  event.preventDefault();
  const link = event.target;
  try {
    await navigator.clipboard.writeText(link.href);
    document.getElementById("copied").textContent = link.dataset.copied;
  } catch {
    open(link.href, link.target || "_self"); // the browser does not let us
  }
});
// The answers go along into the other language; the sheets change with the page.
document.querySelector("nav [lang]").addEventListener("click", ({ target: link }) => {
  const [before] = link.getAttribute("href").split("/?");
  link.setAttribute("href", `${before}/?${query({ lang: link.lang, words: null })}`);
});
document.getElementById("see").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("sheet").scrollIntoView();
});
document.getElementById("examples").addEventListener("click", (event) => {
  const link = event.target.closest("[data-sentence]");
  if (!link) return;
  event.preventDefault();
  form.elements.sentence.value = link.dataset.sentence;
  soon();
});
document.getElementById("ways").addEventListener("click", (event) => {
  const link = event.target.closest("[data-lesson]");
  if (!link) return;
  event.preventDefault();
  const card = form.querySelector(`[name=lesson][value="${link.dataset.lesson}"]`);
  card.checked = true;
  folded();
  card.dispatchEvent(new Event("input", { bubbles: true }));
  card.focus();
});
document.getElementById("look").addEventListener("click", (event) => {
  const link = event.target.closest("[data-shown], [data-variant]");
  if (!link) return;
  event.preventDefault();
  if ("shown" in link.dataset) look.shown = link.dataset.shown;
  else look.variant = link.dataset.variant;
  drawNow();
  update();
});
// On a phone the topics are folded, unless one of them is chosen: they would stand between the routes and the sheet.
const phone = matchMedia("(max-width: 900px)");
function folded() {
  const topics = document.getElementById("topics");
  topics.open = !phone.matches || Boolean(topics.querySelector(":checked"));
  topics.querySelector("summary").tabIndex = phone.matches ? 0 : -1;
}
// There the drawing stands below the lessons, not below everything.
function placed() {
  folded();
  if (phone.matches) form.querySelector("fieldset.cards").after(drawing);
  else document.getElementById("look").prepend(drawing);
}
phone.addEventListener("change", placed);
placed();
const refused = document.getElementById("refused");
if (!phone.matches && !refused) form.querySelector("[name=lesson]:checked")?.closest(".card").scrollIntoView({ block: "nearest" });
refused?.focus();
stale();
checkWhom(); // a link may ask for a list
tabbed();
drawNow();
leaves();
if ("waits" in document.getElementById("summary").dataset) update(); // the server was not ready
