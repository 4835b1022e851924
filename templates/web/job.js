// Asks every second how far an order is; without it the browser loads the page again.
"use strict";
const desk = parent.desk ?? { ask: (address) => fetch(address) };
const job = document.querySelector(".job");
let cancelled = false; // the way back to the questions is on its way
job.addEventListener("submit", () => { cancelled = true; });

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
    for (const part of ["far", "recap"]) document.getElementById(part).innerHTML = now.querySelector("#" + part).innerHTML;
  } else {
    document.getElementById("told").innerHTML = now.querySelector("#told").innerHTML;
    const papers = now.querySelectorAll(".paper"); // the pictures stay, what is made is opened by them
    job.querySelectorAll(".paper").forEach((one, i) => {
      for (const { name, value } of papers[i]?.attributes ?? []) one.setAttribute(name, value);
      one.hidden = !papers[i];
    });
    job.dataset.state = now.dataset.state;
    document.title = page.title;
  }
  if (now.querySelector("#far")) setTimeout(look, 1000);
}

setTimeout(look, 1000);
