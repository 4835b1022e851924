// Shows the sheet that this address names after its #: the page beside it, or the one that opened it, has it.
"use strict";
const desk = (opener ?? window).top.desk;
let last = 0;

async function show() {
  const mine = ++last;
  if (!desk) return location.replace("./"); // the page that had the sheet has been closed
  const answer = await desk.ask(location.hash.slice(1));
  const text = await answer.text();
  if (mine !== last) return;
  const page = new DOMParser().parseFromString(text, "text/html");
  document.documentElement.replaceWith(document.adoptNode(page.documentElement));
  document.getElementById("work")?.scrollIntoView();
  frameElement?.dispatchEvent(new Event("load")); // which a browser says of the first sheet alone
}

addEventListener("hashchange", show);
show();
