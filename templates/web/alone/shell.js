// Stays while pages are shown in its frame, and asks the worker what a browser would ask a server.
"use strict";
const frame = document.getElementById("page");
const waiting = new Map();
const SHEET = /^\/(sheet\?|job\/[^/]+\/.*\.html)/;
let worker, number = 0, queue = Promise.resolve();

function say(name, detail) {
  document.getElementById("start").hidden = false;
  frame.hidden = true;
  document.querySelectorAll(".loading, #start progress").forEach((one) => { one.hidden = true; });
  document.querySelectorAll(`[data-said="${name}"]`).forEach((one) => { one.hidden = false; });
  const shown = document.getElementById("detail");
  shown.textContent = detail;
  shown.hidden = !detail;
}

function told({ done, of }) {
  const inside = frame.contentDocument?.querySelector("progress");
  const said = frame.contentDocument?.querySelector("[data-said]"); // what a server would say
  if (said) said.textContent = said.dataset.said.replace("{done}", done).replace("{of}", of);
  for (const bar of [document.querySelector("#start progress"), inside]) {
    if (bar) Object.assign(bar, { max: of, value: done });
  }
}

function heard({ data }) {
  if (data.kind === "told") told(data);
  else if (data.kind === "failed") say("failed", data.detail);
  else if (data.kind === "answer") waiting.get(data.number)[0](data);
  else if (data.kind === "broken") waiting.get(data.number)[1](new Error(data.detail));
}

function sent(message) {
  message.number = ++number;
  return new Promise((...ends) => {
    waiting.set(message.number, ends);
    worker.postMessage(message, [message.body]);
  }).finally(() => waiting.delete(message.number));
}

// One question after the other; what nobody waits for any more is not asked.
async function ask(address, { method = "GET", form, signal } = {}) {
  const packed = new Response(form);
  const headers = { "accept-language": navigator.languages.join(",") };
  if (form) headers["content-type"] = packed.headers.get("content-type");
  const message = { method, address, headers, body: await packed.arrayBuffer() };
  const turn = queue.then(() => (signal?.aborted ? null : sent(message)));
  queue = turn.catch(() => null);
  const found = await turn;
  if (!found || signal?.aborted) throw new DOMException("no longer wanted", "AbortError");
  if (found.status === 303) return ask(found.headers.location.split("#")[0]);
  const text = (found.headers["content-type"] ?? "").startsWith("text/html") && !SHEET.test(address);
  const body = text ? adapted(new TextDecoder().decode(found.body)) : found.body;
  const answer = new Response(body, { status: found.status, headers: found.headers });
  return Object.assign(answer, { asked: address });
}

// Addresses of the server become those of this page; what is loaded lies beside it.
function adapted(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  for (const one of page.querySelectorAll("link[href^='/'], script[src^='/']")) {
    const name = one.hasAttribute("src") ? "src" : "href";
    one.setAttribute(name, one.getAttribute(name).slice(1));
  }
  for (const one of page.querySelectorAll("iframe[src^='/']")) one.setAttribute("src", at(one.getAttribute("src")));
  for (const one of page.querySelectorAll("a[href^='/']:not([download])")) {
    const address = one.getAttribute("href"), sheet = SHEET.test(address);
    one.setAttribute("href", sheet ? at(address) : "./#" + address);
    one.target = sheet ? "_blank" : "_top";
    if (sheet) one.rel = "opener";
  }
  const script = page.createElement("script");
  script.src = "wired.js";
  page.head.prepend(script);
  return "<!DOCTYPE html>" + page.documentElement.outerHTML;
}

const at = (address) => "sheet.html#" + address;

async function go(address, options) {
  let answer;
  try {
    answer = await ask(address, options);
  } catch (error) {
    if (error.name !== "AbortError") say("failed", error.message);
    return;
  }
  if (answer.asked !== location.hash.slice(1)) history.pushState(null, "", "#" + answer.asked);
  show(await answer.text());
}

function show(text) {
  frame.srcdoc = text;
  frame.hidden = false;
  document.getElementById("start").hidden = true;
}

frame.addEventListener("load", () => {
  const page = frame.contentDocument;
  document.title = page.title;
  document.documentElement.lang = page.documentElement.lang;
  frame.contentWindow.focus(); // arrow keys are for the page inside
});

// What is pressed in a page comes here from its first moment on: its sheet may still be loading.
function wired(page) {
  page.addEventListener("submit", submitted);
  page.addEventListener("click", (event) => {
    const link = event.target.closest("a[download]");
    if (!link) return;
    event.preventDefault();
    fetched(link.getAttribute("href"));
  });
}

function submitted(event) {
  event.preventDefault();
  const form = event.target, button = event.submitter;
  const fields = new FormData(form, button);
  const action = button?.getAttribute("formaction") ?? form.getAttribute("action");
  const method = (button?.getAttribute("formmethod") ?? form.method).toUpperCase();
  if (method === "GET") go(action + "?" + new URLSearchParams(fields));
  else go(action.split("#")[0], { method, form: fields });
}

async function fetched(address) {
  const answer = await ask(address);
  if (!answer.ok) return go(address);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition"))[1];
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

function begin() {
  const wished = navigator.languages.map((one) => one.slice(0, 2));
  const there = [...document.querySelectorAll("#start section")];
  const chosen = wished.map((code) => there.find((one) => one.lang === code)).find(Boolean) ?? there.at(-1);
  for (const one of there) one.hidden = one !== chosen;
  document.documentElement.lang = chosen.lang;
  if (location.protocol === "file:") return say("file");
  if (!window.WebAssembly || !window.Worker) return say("old");
  worker = new Worker("worker.js", { type: "module" });
  worker.onmessage = heard;
  worker.onerror = (event) => say("failed", event.message || "worker.js or pyodide/pyodide.mjs could not be loaded");
  addEventListener("popstate", () => go(location.hash.slice(1) || "/"));
  go(location.hash.slice(1) || "/");
}

// What the pages' own scripts use in place of the browser's ways to a server.
window.desk = { ask, at, wired, keep: (address) => history.replaceState(null, "", "#" + address) };
begin();
