// Runs the program in the browser: loads Python, the libraries and Paperformer, then answers.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const tell = (done, of) => postMessage({ kind: "told", done, of });

async function content(name) {
  const answer = await fetch(new URL(name, import.meta.url));
  if (!answer.ok) throw new Error(`${name} is missing on this web server (${answer.status})`);
  return answer;
}

async function unpacked(pyodide, name, options) {
  const packed = new Uint8Array(await (await content(name)).arrayBuffer());
  try {
    pyodide.unpackArchive(packed, "zip", options);
  } catch (error) {
    throw new Error(`${name} is cut off or is no archive: ${error.message}`);
  }
}

async function start() {
  const contents = await (await content("contents.json")).json();
  const archives = [contents.program, ...contents.wheels];
  const of = archives.length + 2;
  tell(0, of);
  const pyodide = await loadPyodide({ indexURL: new URL("pyodide/", import.meta.url).href });
  const extractDir = pyodide.runPython("import sysconfig; sysconfig.get_path('purelib')");
  for (const [k, name] of archives.entries()) {
    tell(k + 1, of);
    await unpacked(pyodide, name, { extractDir });
  }
  tell(of - 1, of);
  const desk = pyodide.pyimport("generator.web.alone.inside").Desk(tell);
  await desk.open();
  return { pyodide, desk };
}

const ready = start();
ready.then(() => postMessage({ kind: "ready" }), (error) => postMessage({ kind: "failed", detail: String(error.message) }));

onmessage = async ({ data }) => {
  try {
    const { pyodide, desk } = await ready;
    const found = await desk.answer(data.method, data.address, pyodide.toPy(data.headers), pyodide.toPy(new Uint8Array(data.body)).tobytes());
    const [status, headers, body] = found.toJs({ dict_converter: Object.fromEntries });
    postMessage({ kind: "answer", number: data.number, status, headers, body }, [body.buffer]);
  } catch (error) {
    postMessage({ kind: "broken", number: data.number, detail: String(error.message) });
  }
};
