/**
 * The process in which one run's Python lives: CPython compiled to WebAssembly (Pyodide). It takes
 * calls one after the other, each a frame on standard input, answers each by a frame, and keeps
 * what the code has defined until it ends: with its parent, by its parent's word, or at a limit.
 *
 * Python reaches the JavaScript around it (by Pyodide's own bridge, or by ctypes), so all that is
 * around it is taken away before any of a guest's code runs: see `lock`. Node's permission model
 * keeps it from files, processes and threads, and from the network where Node knows that
 * permission; where it does not, the modules for it are made useless here.
 */
import { constants } from "node:fs";
import { createRequire, syncBuiltinESMExports } from "node:module";
import { FrameReader, packFrame } from "../sandbox/frames.mjs";
import { PRELUDE } from "./prelude.mjs";

/**
 * @typedef {object} PythonCall
 * @property {string} code
 * @property {string[]} paths of the files that come with it
 * @property {number} outputMaxCharacters
 * @property {number} filesMax
 * @property {number} filesMaxBytes
 */

const { stdin, stdout, exit } = process;
const write = stdout.write.bind(stdout);

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
const WAYS_OUT =
  "net dgram tls http https http2 dns dns/promises child_process cluster worker_threads inspector inspector/promises repl vm v8 module wasi trace_events".split(
    " ",
  );

function refuse() {
  throw new Error("This is not available in the sandbox.");
}

/** Python as it is before any code, with nothing around it. */
async function start() {
  // The one thing that Pyodide asks for there, which is denied as a whole.
  Reflect.set(process, "binding", () => ({ fs: constants }));
  const { loadPyodide } = await import("pyodide");
  const python = await loadPyodide({
    // What `import js` gives: nothing.
    jsglobals: Object.create(null),
    env: { HOME: "/home/pyodide", TZ: "UTC", MPLBACKEND: "agg" },
    checkAPIVersion: false,
  });
  python.runPython(PRELUDE);
  /** @param {string} name */
  const take = (name) => python.globals.get(name);
  const steps = {
    begin: take("__lathe_begin"),
    execute: take("__lathe_execute"),
    end: take("__lathe_end"),
  };
  lock(python);
  return { python, steps };
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
const OF_PROCESS =
  "binding _linkedBinding dlopen getBuiltinModule kill _kill execve chdir loadEnvFile openStdin abort _debugProcess _debugEnd _startProfilerIdleNotifier setSourceMapsEnabled".split(
    " ",
  );

/**
 * @param {Awaited<ReturnType<typeof start>>} started
 * @param {PythonCall} call
 * @param {Uint8Array[]} files
 */
async function run({ python, steps }, call, files) {
  const log = createLog(call.outputMaxCharacters);
  python.setStdout({ batched: log.add });
  python.setStderr({ batched: log.add });
  /** @type {{ header: object, payloads: Uint8Array[] }} */
  let answer;
  try {
    for (const [at, path] of call.paths.entries())
      writeFile(python, path, files[at] ?? new Uint8Array());
    steps.begin();
    /** @type {string} */
    const outcome = await steps.execute(call.code, call.outputMaxCharacters);
    /** @type {string} */
    const changed = steps.end(call.filesMax, call.filesMaxBytes);
    const { paths, problem } = JSON.parse(changed);
    answer = {
      header: { ...JSON.parse(outcome), log: log.read(), paths, problem },
      payloads: paths.map((/** @type {string} */ path) => python.FS.readFile(`/work/${path}`)),
    };
  } catch (error) {
    const message = error instanceof Error ? error.message.slice(-2_000) : "unknown reason";
    answer = { header: { error: message, log: log.read(), paths: [] }, payloads: [] };
  }
  for (const piece of packFrame(answer.header, answer.payloads)) write(piece);
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
for (const piece of packFrame({}, [])) write(piece);
const reader = new FrameReader();
for await (const chunk of stdin) {
  const frame = reader.push(chunk);
  // Our own parent wrote it.
  if (frame) await run(started, /** @type {PythonCall} */ (frame.header), frame.payloads);
}
exit(0);
