/**
 * The process in which one run's Python lives: CPython compiled to WebAssembly (Pyodide). It takes
 * calls one after the other, asks for files while it works, writes those that the code has saved,
 * answers, and keeps what the code has defined until it ends: with its parent, by its parent's
 * word, or at a limit.
 *
 * Python reaches the JavaScript around it (by Pyodide's own bridge, or by ctypes), so all that is
 * around it is taken away before any of a guest's code runs: see `lock`. Node's permission model
 * keeps it from files, processes and threads, and from the network where Node knows that
 * permission; where it does not, the modules for it are made useless here.
 */
import { Buffer } from "node:buffer";
import { constants } from "node:fs";
import { createRequire, syncBuiltinESMExports } from "node:module";
import { ask, readFrame, writeFrame } from "../sandbox/parent.mjs";
import { PRELUDE } from "./prelude.mjs";

/**
 * @typedef {object} PythonCall
 * @property {string} code
 * @property {string[]} paths of the files that are to be in its folder
 * @property {number} outputMaxCharacters
 * @property {number} filesMax
 * @property {number} filesMaxBytes
 */

/** What Python and its packages need of the world; every other global is removed. */
const NEEDED = new Set(
  [
    "globalThis Infinity NaN undefined isFinite isNaN parseFloat parseInt decodeURI",
    "decodeURIComponent encodeURI encodeURIComponent escape unescape Function eval Object Array",
    "String Number Boolean Symbol BigInt Math JSON Reflect Proxy Promise Map Set WeakMap WeakSet",
    "WeakRef FinalizationRegistry Date RegExp ArrayBuffer SharedArrayBuffer DataView Atomics",
    "Iterator Intl Uint8Array Uint8ClampedArray Uint16Array Uint32Array Int8Array Int16Array",
    "Int32Array Float16Array Float32Array Float64Array BigInt64Array BigUint64Array Error",
    "AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError",
    "SuppressedError DisposableStack AsyncDisposableStack WebAssembly TextEncoder TextDecoder URL",
    "URLSearchParams performance crypto setTimeout clearTimeout setInterval clearInterval",
    "setImmediate clearImmediate queueMicrotask structuredClone AbortController AbortSignal Event",
    "EventTarget DOMException console",
  ]
    .join(" ")
    .split(" "),
);
/** Ways out of the process. */
const WAYS_OUT = (
  "net dgram tls http https http2 dns dns/promises child_process cluster worker_threads " +
  "inspector inspector/promises repl vm v8 module wasi trace_events"
).split(" ");

function refuse() {
  throw new Error("This is not available in the sandbox.");
}

/** Python as it is before any code, with nothing around it. */
async function start() {
  // Frames are the only users of the process's streams, which Node would make on a look at them.
  for (const name of ["stdin", "stdout", "stderr"])
    Reflect.defineProperty(process, name, { value: { fd: -1, isTTY: false } });
  // The one thing that Pyodide asks for there, which is denied as a whole.
  Reflect.set(process, "binding", () => ({ fs: constants }));
  const { loadPyodide } = await import("pyodide");
  const python = await loadPyodide({
    // What `import js` gives: nothing.
    jsglobals: Object.create(null),
    env: { HOME: "/home/pyodide", TZ: "UTC", MPLBACKEND: "agg" },
    checkAPIVersion: false,
  });
  // Standard input is the parent's.
  python.setStdin({ stdin: () => null });
  python.runPython(PRELUDE);
  const [begin, execute, end] = python.globals.get("__lathe_setup")(readFor);
  const steps = { begin, execute, end };
  lock(python);
  return { python, steps };
}

/**
 * What a guest has of a file that it asks for: its text, or its bytes.
 * @param {string} path
 * @param {"text" | "bytes"} form
 * @returns {string | Uint8Array | undefined}
 */
function readFor(path, form) {
  const answer = ask({ read: String(path), as: form });
  if (answer === null) return undefined;
  return form === "text" ? answer.payload.toString("utf8") : new Uint8Array(answer.payload);
}

/** @param {import("pyodide").PyodideAPI} python */
function lock(python) {
  python.unregisterJsModule("js");
  python.unregisterJsModule("pyodide_js");
  python.runPython('import sys\nfor _ in ("js", "pyodide_js"): sys.modules.pop(_, None)');
  const require = createRequire(import.meta.url);
  // Some are made of others, so all are loaded first.
  const modules = WAYS_OUT.map((name) => /** @type {object} */ (require(name)));
  for (const module of modules) disarm(module);
  syncBuiltinESMExports();
  for (const name of OF_PROCESS) Reflect.set(process, name, refuse);
  Reflect.set(process, "env", {});
  for (const name of Object.getOwnPropertyNames(globalThis))
    if (!NEEDED.has(name)) Reflect.deleteProperty(globalThis, name);
}

/**
 * Each function of a module, and each method of its classes, refuses.
 * @param {object} module
 */
function disarm(module) {
  for (const name of Reflect.ownKeys(module)) {
    const { value, configurable, writable, get } =
      Reflect.getOwnPropertyDescriptor(module, name) ?? {};
    if (get && configurable) Reflect.defineProperty(module, name, { value: refuse });
    if (typeof value !== "function") continue;
    // Streams go on living, without ways to begin one.
    for (const method of ["connect", "listen", "bind", "send", "addContext"])
      if (typeof value.prototype?.[method] === "function")
        Reflect.defineProperty(value.prototype, method, { value: refuse });
    if (configurable) Reflect.defineProperty(module, name, { value: refuse });
    else if (writable) Reflect.set(module, name, refuse);
  }
}

/** Ways out by the process itself, of which Node uses the other functions. */
const OF_PROCESS = (
  "binding _linkedBinding dlopen getBuiltinModule kill _kill execve chdir loadEnvFile openStdin " +
  "abort _debugProcess _debugEnd _startProfilerIdleNotifier setSourceMapsEnabled"
).split(" ");

/**
 * @param {Awaited<ReturnType<typeof start>>} started
 * @param {PythonCall} call
 */
async function run({ python, steps }, call) {
  const log = createLog(call.outputMaxCharacters);
  python.setStdout({ batched: log.add });
  python.setStderr({ batched: log.add });
  let answer;
  try {
    for (const path of call.paths) {
      const file = ask({ read: path, as: "bytes" });
      if (file === null) throw new Error(`There is no such file: ${path}`);
      writeFile(python, path.replace(/^(?:run|skill):/, ""), file.payload);
    }
    steps.begin();
    /** @type {string} */
    const outcome = await steps.execute(call.code, call.outputMaxCharacters);
    answer = JSON.parse(outcome);
    if (answer.error === undefined) answer.problem = saveFiles(steps, call);
  } catch (error) {
    answer = { error: error instanceof Error ? error.message.slice(-2_000) : "unknown reason" };
  }
  writeFrame({ answer: true }, Buffer.from(JSON.stringify({ ...answer, log: log.read() })));
}

/**
 * Hands over what the code has saved, and what it has written into its folder.
 * @param {Awaited<ReturnType<typeof start>>["steps"]} steps
 * @param {PythonCall} call
 * @returns {string | undefined} why not
 */
function saveFiles(steps, { filesMax, filesMaxBytes }) {
  /** @type {string | [string, Uint8Array][]} */
  const saved = steps.end(filesMax, filesMaxBytes);
  if (typeof saved === "string") return saved;
  for (const [path, content] of saved) writeFrame({ save: path }, content);
  return undefined;
}

/**
 * @param {import("pyodide").PyodideAPI} python
 * @param {string} path
 * @param {Uint8Array} bytes
 */
function writeFile(python, path, bytes) {
  const whole = `/work/${path}`;
  python.FS.mkdirTree(whole.slice(0, whole.lastIndexOf("/")));
  python.FS.writeFile(whole, bytes);
}

/** @param {number} limit */
function createLog(limit) {
  let text = "";
  let cut = false;
  return {
    /** @param {string} line */
    add(line) {
      if (cut) return;
      cut = text.length + line.length + 1 > limit;
      text = `${text}${line}\n`.slice(0, limit);
    },
    read: () => ({ text, cut }),
  };
}

for (const name of /** @type {const} */ (["log", "info", "warn", "error", "debug"]))
  console[name] = () => {};
const started = await start();
writeFrame({ answer: true });
for (;;) await run(started, readFrame().header);
