/**
 * The process in which one piece of guest code runs, once. Reads one frame and writes frames: the
 * files that the code saves, what it wants to read or to have made, for which it waits, and at last
 * its answer. The guest's own memory is a WebAssembly memory with a maximum, which typed arrays and
 * strings count against too; this process has no environment, and its parent kills it at the
 * deadline.
 */
import { newQuickJSWASMModuleFromVariant, newVariant, RELEASE_SYNC } from "quickjs-emscripten";
import { ask, readFrame, writeFrame } from "./parent.mjs";
import { PRELUDE } from "./prelude.mjs";
import { csvToJson, jsonToRows } from "./read-table.mjs";

/**
 * @typedef {import("quickjs-emscripten").QuickJSContext} QuickJSContext
 * @typedef {import("quickjs-emscripten").QuickJSRuntime} QuickJSRuntime
 * @typedef {import("quickjs-emscripten").QuickJSHandle} QuickJSHandle
 * @typedef {{ code: string, files: unknown, deadlineMilliseconds: number, outputMaxCharacters:
 * number, memoryMaxBytes: number, savedMaxBytes: number, savedMaxFiles: number }} SandboxRequest
 * @typedef {ReturnType<typeof createLog>} Log
 */

const WASM_PAGE_BYTES = 65_536;
const STACK_MAX_BYTES = 160 * 1024;

/** Milliseconds for which the parent was waited for. */
let waited = 0;

/**
 * What the parent has, or makes.
 * @param {object} header
 * @param {Uint8Array} [payload]
 */
function waitFor(header, payload) {
  const since = Date.now();
  try {
    return ask(header, payload);
  } finally {
    waited += Date.now() - since;
  }
}

/**
 * Guest-made strings, cut so that nothing endless is copied out.
 * @param {number} limit
 */
function createLog(limit) {
  let text = "";
  let cut = false;
  return {
    /** @param {string} line */
    add(line) {
      if (cut) return;
      const left = limit - text.length;
      cut = line.length + 1 > left;
      text += cut ? line.slice(0, Math.max(0, left)) : `${line}\n`;
    },
    read: () => ({ text, cut }),
  };
}

/**
 * @param {QuickJSContext} context
 * @param {QuickJSHandle} handle
 */
function describeError(context, handle) {
  const error = context.dump(handle);
  handle.dispose();
  if (typeof error !== "object" || error === null) return String(error).slice(0, 2000);
  const place = /<guest>:(\d+)/.exec(String(error.stack ?? ""))?.[1];
  return (
    `${String(error.name ?? "Error")}: ${String(error.message ?? "")}`.slice(0, 2000) +
    (place ? ` (line ${place})` : "")
  );
}

/**
 * As a script, whose last expression counts; else, because of `return` or `await`, as the body of
 * an async function.
 * @param {QuickJSContext} context
 * @param {string} code
 * @returns {{ source: string } | { error: string }}
 */
function pickForm(context, code) {
  const body = `(async function () {${code}\n})()`;
  const script = context.evalCode(code, "<guest>", { type: "global", compileOnly: true });
  if (!script.error) {
    script.value.dispose();
    return { source: code };
  }
  const message = describeError(context, script.error);
  const asBody = context.evalCode(body, "<guest>", { type: "global", compileOnly: true });
  if (asBody.error) {
    asBody.error.dispose();
    return { error: message };
  }
  asBody.value.dispose();
  return { source: body };
}

/**
 * Runs the jobs of promises until the value is settled.
 * @param {QuickJSRuntime} runtime
 * @param {QuickJSContext} context
 * @param {QuickJSHandle} handle
 * @returns {{ value: QuickJSHandle } | { error: string }}
 */
function settle(runtime, context, handle) {
  for (;;) {
    const state = context.getPromiseState(handle);
    if (state.type === "fulfilled") return { value: state.notAPromise ? handle : state.value };
    if (state.type === "rejected") return { error: describeError(context, state.error) };
    const jobs = runtime.executePendingJobs(1000);
    if (jobs.error) return { error: describeError(context, jobs.error) };
    if (jobs.value === 0)
      return { error: "Error: The promise can never be settled: there are no timers here." };
  }
}

/**
 * Ends by a limit say which.
 * @param {string} error
 * @param {SandboxRequest} request
 */
function inWords(error, { deadlineMilliseconds }) {
  if (/^InternalError: interrupted/.test(error))
    return `The code did not finish within ${deadlineMilliseconds / 1000} seconds.`;
  // Without memory left an error may come out empty.
  return error === "" || /^InternalError: out of memory/.test(error)
    ? "The code used too much memory."
    : error;
}

/**
 * What the prelude makes `files`, `read`, `save`, `write` and `chart` of.
 * @param {QuickJSContext} context
 * @param {SandboxRequest} request
 */
function offerFiles(context, request) {
  let left = request.savedMaxBytes;
  const names = new Set();
  /** @param {number} bytes */
  const takeRoom = (bytes) => {
    left -= bytes;
    if (left < 0)
      throw new Error(`The files saved by one call have at most ${request.savedMaxBytes} bytes.`);
  };
  /** @param {string} path */
  const takeName = (path) => {
    names.add(path);
    if (names.size > request.savedMaxFiles)
      throw new Error(`At most ${request.savedMaxFiles} files can be saved at once.`);
  };
  const save = context.newFunction("save", (path, content, start, length, append, type) => {
    const name = context.getString(path);
    takeName(name);
    const mime = context.typeof(type) === "string" ? { mime: context.getString(type) } : {};
    const header = { save: name, append: context.dump(append) === true, ...mime };
    /** @param {Uint8Array} bytes */
    const keep = (bytes) => {
      takeRoom(bytes.length);
      writeFrame(header, bytes);
      return context.newNumber(bytes.length);
    };
    if (context.typeof(content) === "string") return keep(Buffer.from(context.getString(content)));
    const from = context.getNumber(start);
    return context
      .getArrayBuffer(content)
      .consume((view) => keep(view.value.subarray(from, from + context.getNumber(length))));
  });
  const readText = context.newFunction("readText", (path) => {
    const answer = waitFor({ read: context.getString(path), as: "text" });
    return answer === null ? context.undefined : context.newString(answer.payload.toString("utf8"));
  });
  const readBytes = context.newFunction("readBytes", (path) => {
    const answer = waitFor({ read: context.getString(path), as: "bytes" });
    if (answer === null) return context.undefined;
    const { buffer, byteOffset, length } = answer.payload;
    return context.newArrayBuffer(buffer.slice(byteOffset, byteOffset + length));
  });
  // A file, of which it answers the facts as JSON.
  const write = context.newFunction("write", (maker, path, spec) => {
    const name = context.getString(path);
    takeName(name);
    const order = Buffer.from(context.getString(spec));
    const answer = waitFor({ make: context.getString(maker), path: name }, order);
    const { facts } = answer?.header ?? {};
    takeRoom(facts.size_bytes);
    return context.newString(JSON.stringify(facts));
  });
  const draw = context.newFunction("draw", (spec) => {
    const answer = waitFor({ make: "svg" }, Buffer.from(context.getString(spec)));
    return context.newString(answer?.payload.toString("utf8") ?? "");
  });
  const table = context.newFunction("table", (type, text, delimiter) => {
    const whole = context.getString(text);
    return context.newString(
      context.getString(type) === "json"
        ? jsonToRows(whole)
        : csvToJson(whole, context.getString(delimiter)),
    );
  });
  for (const [name, made] of Object.entries({
    __save: save,
    __text: readText,
    __bytes: readBytes,
    __write: write,
    __draw: draw,
    __table: table,
  })) {
    context.setProp(context.global, name, made);
    made.dispose();
  }
}

/**
 * @param {QuickJSContext} context
 * @param {SandboxRequest} request
 * @param {Log} log
 */
function prepare(context, request, log) {
  const logger = context.newFunction("log", (line) => log.add(context.getString(line)));
  context.setProp(context.global, "__log", logger);
  logger.dispose();
  offerFiles(context, request);
  const files = context.newString(JSON.stringify(request.files));
  context.setProp(context.global, "__files", files);
  files.dispose();
  return context.unwrapResult(context.evalCode(PRELUDE, "<prelude>", { type: "global" }));
}

/**
 * @param {QuickJSRuntime} runtime
 * @param {QuickJSContext} context
 * @param {SandboxRequest} request
 * @param {Log} log
 */
function execute(runtime, context, request, log) {
  const toText = prepare(context, request, log);
  const deadline = Date.now() + request.deadlineMilliseconds;
  runtime.setInterruptHandler(() => Date.now() > deadline + waited);
  const form = pickForm(context, request.code);
  if ("error" in form) return { error: form.error };
  const outcome = context.evalCode(form.source, "<guest>", { type: "global" });
  const settled = outcome.error
    ? { error: describeError(context, outcome.error) }
    : settle(runtime, context, outcome.value);
  if ("error" in settled) return { error: inWords(settled.error, request) };
  const limit = context.newNumber(request.outputMaxCharacters);
  const text = context.callFunction(toText, context.undefined, settled.value, limit);
  if (text.error) return { error: describeError(context, text.error) };
  const result = context.getString(text.value);
  return result.startsWith("\u0001")
    ? { result: result.slice(1), cut: true }
    : { result, cut: false };
}

/** @type {SandboxRequest} */
const request = readFrame().header;
const log = createLog(request.outputMaxCharacters);
let answer;
try {
  const pages = Math.ceil(request.memoryMaxBytes / WASM_PAGE_BYTES);
  const wasmMemory = new WebAssembly.Memory({ initial: 256, maximum: pages });
  const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(RELEASE_SYNC, { wasmMemory }));
  const runtime = quickjs.newRuntime();
  runtime.setMaxStackSize(STACK_MAX_BYTES);
  answer = execute(runtime, runtime.newContext(), request, log);
} catch (error) {
  answer = {
    error:
      "The sandbox stopped: " +
      `${error instanceof Error ? error.message.slice(0, 200) : "unknown reason"}`,
  };
}
writeFrame({ answer: true }, Buffer.from(JSON.stringify({ ...answer, log: log.read() })));
process.exit(0);
