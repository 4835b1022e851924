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
const look = { shown: "", variant: "blank" };
let waiting, request;

function query(more) {
  const fields = new FormData(form);
  fields.delete("list");
  const found = new URLSearchParams(fields);
  found.set("lang", document.documentElement.lang);
  for (const [name, value] of Object.entries(more || {})) found.set(name, value);
  return found.toString();
}

// What is wrong is shown at once; the rest stays as it was until the answers fit again.
function take(page, good) {
  for (const old of document.querySelectorAll(good ? "[data-live]" : ".problem[data-live]")) {
    const now = page.getElementById(old.id);
    if (now && now.innerHTML !== old.innerHTML) old.innerHTML = now.innerHTML;
    if (now && now.hasAttribute("href")) old.setAttribute("href", now.getAttribute("href"));
  }
  for (const link of document.querySelectorAll("[data-variant]")) {
    link.toggleAttribute("aria-current", link.dataset.variant === look.variant);
  }
}

async function update() {
  request?.abort();
  request = new AbortController();
  const asked = query(look);
  try {
    const answer = await desk.ask("/?" + asked, { signal: request.signal });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    take(page, answer.ok);
    if (answer.ok) {
      frame.src = desk.at("/sheet?" + asked);
      desk.keep("/?" + query());
    }
  } catch (error) {
    if (error.name !== "AbortError") throw error;
  }
}

function showSheets() {
  const more = form.querySelector("details");
  more.open = true;
  more.scrollIntoView({ block: "nearest" });
}

// A list that is too large is not sent at all, one that is missing is asked for at its field;
// what is hidden for one set is not sent and cannot be wrong.
function checkWhom() {
  const list = form.elements.list, [file] = list.files, whom = form.elements.who.value;
  list.required = whom === "list";
  form.elements.minutes.disabled = whom === "me";
  const big = list.required && file && file.size > Number(list.dataset.most);
  list.setCustomValidity(big ? list.dataset.big : "");
}

function soon() {
  clearTimeout(waiting);
  waiting = setTimeout(update, 300);
}

form.addEventListener("input", (event) => {
  if (event.target.name === "lesson") look.shown = "";
  if (event.target.name === "list") form.querySelector("[name=who][value=list]").checked = true;
  if (event.target.name === "pupils") form.querySelector("[name=who][value=number]").checked = true;
  if (event.target.name === "lesson" && event.target.value === "own") showSheets();
  checkWhom();
  soon();
});
// A refusal leads back to the answers by the address that they were sent to.
form.addEventListener("submit", () => {
  if (!form.elements.list.required) form.elements.list.value = ""; // names that nobody needs stay here
  form.setAttribute("action", "/make?" + query());
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
document.getElementById("examples").addEventListener("click", (event) => {
  const link = event.target.closest("[data-sentence]");
  if (!link) return;
  event.preventDefault();
  form.elements.sentence.value = link.dataset.sentence;
  update();
});
document.getElementById("look").addEventListener("click", (event) => {
  const link = event.target.closest("[data-shown], [data-variant]");
  if (!link) return;
  event.preventDefault();
  if ("shown" in link.dataset) look.shown = link.dataset.shown;
  else look.variant = link.dataset.variant;
  update();
});
checkWhom(); // a link may ask for a list
