// Asks every second how far an order is; without it the browser loads the page again.
"use strict";
const desk = parent.desk ?? { ask: (address, how) => fetch(address, how) };
const job = document.querySelector(".job");
let cancelled = false; // the way back to the questions is on its way
job.addEventListener("submit", () => { cancelled = true; });

// The bar goes ahead only, however the time is estimated.
function ahead(here, there) {
  if (there?.hasAttribute("value")) Object.assign(here, { max: 100, value: Math.max(there.value, 100 * here.position) });
}

async function look() {
  let answer;
  try {
    answer = await desk.ask(job.dataset.address);
  } catch {
    const far = document.getElementById("far"); // the way to the server is broken for a moment
    if (far) far.textContent = job.dataset.offline;
    return setTimeout(look, 3000);
  }
  if (cancelled) return;
  if (!answer.ok) return location.reload(); // deleted: that page says so
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const now = page.querySelector(".job");
  if (now.dataset.state === job.dataset.state) {
    for (const part of ["far", "recap", "stages"]) {
      const here = document.getElementById(part), there = now.querySelector("#" + part);
      if (here.innerHTML !== there.innerHTML) here.innerHTML = there.innerHTML;
    }
    ahead(document.getElementById("bar"), now.querySelector("#bar"));
    document.title = page.title;
  } else {
    document.getElementById("told").innerHTML = now.querySelector("#told").innerHTML;
    const papers = now.querySelectorAll(".paper"); // the pictures stay, what is made is opened by them
    job.querySelectorAll(".paper").forEach((one, i) => {
      for (const { name, value } of papers[i]?.attributes ?? []) one.setAttribute(name, value);
      one.hidden = !papers[i];
    });
    clock();
    job.dataset.state = now.dataset.state;
    document.title = page.title;
  }
  if (now.querySelector("#far")) setTimeout(look, 1000);
}

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// Chosen files stay where they cannot be taken: the form is left when the first of them is done, or all,
// and after a minute.
async function order(event) {
  event.preventDefault();
  event.stopPropagation();
  const form = event.target, fields = new FormData(form, event.submitter), said = form.querySelector("[role=alert]");
  const pressed = form.querySelectorAll("button"), inTurn = (on) => pressed.forEach((one) => { one.disabled = on; });
  const told = (text, wrong) => { said.textContent = text; said.classList.toggle("problem", wrong); };
  inTurn(true);
  told("", false);
  form.querySelectorAll("[aria-invalid]").forEach((one) => one.removeAttribute("aria-invalid"));
  form.prepend(said);
  const empty = [...form.querySelectorAll("[data-missing]")].find((one) => !(one.name === "work" && event.submitter?.name === "list")
    && ![...form.querySelectorAll(`[name="${one.name}"]`)].some((other) => other.value.trim()));
  if (empty) {
    told(empty.dataset.missing, true);
    inTurn(false);
    empty.setAttribute("aria-invalid", "true");
    empty.after(said);
    return said.focus();
  }
  let page, state;
  try {
    let answer = await desk.ask(form.getAttribute("action"), { method: "POST", form: fields, body: fields });
    const address = answer.asked ?? answer.url;
    for (let looks = 0; looks < 200; looks += 1) {
      page = new DOMParser().parseFromString(await answer.text(), "text/html");
      state = page.querySelector(".job")?.dataset.state;
      if ((state !== "waiting" && state !== "working") || page.querySelector("[data-made]")) break;
      told(page.getElementById("far").textContent.trim().replace(/\s+/g, " "), false);
      await pause(300);
      answer = await desk.ask(address).catch(() => pause(3000).then(() => desk.ask(address))); // broken for a moment
    }
    if (state && state !== "failed") {
      if (parent.desk) parent.location.hash = "#" + address;
      else location.assign(address);
      return;
    }
  } catch {
    // said below
  }
  told(page?.querySelector("[role=alert]")?.innerText.trim().replace(/\s*\n\s*/g, "\n") ?? form.dataset.offline, true);
  for (const button of page?.querySelectorAll("[data-near]") ?? []) { // who was meant: fills in and sends
    button.hidden = false;
    button.addEventListener("click", () => { form.elements.pupil.value = button.dataset.near; form.requestSubmit(); });
    said.append(" ", button);
  }
  inTurn(false);
  // A wrong file is said at its field.
  const field = form.elements[page?.querySelector(".job")?.dataset.wrong];
  field?.setAttribute("aria-invalid", "true");
  field?.after(said);
  said.focus();
}

// How the room would stand that is asked for.
async function stand(event) {
  if (event.target.name === "rooms") return; // it changes nothing of it
  const form = event.currentTarget, asked = new URLSearchParams(new FormData(form)).toString();
  const answer = await desk.ask(`/room?${asked}&lang=${document.documentElement.lang}`);
  const other = document.querySelector("nav [lang]"), [before] = other.getAttribute("href").split("?");
  other.setAttribute("href", `${before}?${asked.replace(/&words=\w*/, "")}&lang=${other.lang}`);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (asked !== new URLSearchParams(new FormData(form)).toString()) return;
  for (const id of ["view", "problem-pupils"]) document.getElementById(id).innerHTML = page.getElementById(id).innerHTML;
}

// The report of a class is as high as it is, whenever it comes.
function grow(event) {
  const page = event.target.matches?.(".report") && event.target.contentDocument;
  if (page) event.target.style.height = page.documentElement.scrollHeight + 4 + "px";
}

// A picture of a sheet is seen once there is one.
for (const one of job.querySelectorAll(".paper iframe")) {
  if (one.contentDocument?.readyState === "complete" && one.contentDocument.URL !== "about:blank") continue;
  const paper = one.closest(".paper");
  paper.classList.add("soon");
  one.addEventListener("load", () => paper.classList.remove("soon"), { once: true });
}
// At what o'clock all is deleted, by the clock of who looks.
function clock() {
  for (const one of job.querySelectorAll("[data-until]")) {
    const time = new Date(1000 * one.dataset.until).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
    one.textContent = one.dataset.said.replace("{time}", time);
  }
}
clock();
job.addEventListener("load", grow, true);
job.querySelectorAll(".report").forEach((one) => grow({ target: one })); // which came before this
if (document.getElementById("far")) setTimeout(look, 1000);
else if (document.getElementById("view")) job.querySelector("form").addEventListener("input", stand);
else if (!job.dataset.state) {
  const form = job.querySelector("form");
  form.noValidate = true; // what is missing is said at its field, in our words
  form.addEventListener("submit", order);
}
