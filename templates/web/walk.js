// Shows one step at a time; without it all steps stand below each other.
"use strict";
const root = document.documentElement;
root.classList.add("js");
root.classList.toggle("dark", matchMedia("(prefers-color-scheme: dark)").matches);
const steps = document.querySelectorAll("article");
let now = 0;

function show(place) {
  now = Math.min(Math.max(place, 0), steps.length - 1);
  steps.forEach((step, k) => step.classList.toggle("now", k === now));
  if (!parent.desk) history.replaceState(null, "", "#step-" + (now + 1));
  scrollTo(0, 0);
}

const ways = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1, Enter: 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1, b: -1 };
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest(".wide")) return;
  if (event.target.closest("button, a") && [" ", "Enter"].includes(event.key)) return;
  if (event.key === "Home") show(0);
  else if (event.key === "End") show(steps.length - 1);
  else if (event.key in ways) show(now + ways[event.key]);
  else return;
  event.preventDefault();
});
document.getElementById("on").addEventListener("click", () => show(now + 1));
document.getElementById("back").addEventListener("click", () => show(now - 1));
document.getElementById("dark").addEventListener("click", () => root.classList.toggle("dark"));
show((Number(location.hash.slice(6)) || 1) - 1);
