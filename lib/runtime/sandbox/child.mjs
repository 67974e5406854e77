/**
 * The process in which one piece of guest code runs, once. Reads one frame from standard input and
 * writes one: what came out, and the files that the code saved or ordered. The guest's own memory is a WebAssembly memory with a maximum,
 * which typed arrays and strings count against too; this process has no environment, and its parent
 * kills it at the deadline. It ends when its parent does.
 */
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  RELEASE_SYNC,
  shouldInterruptAfterDeadline,
} from "quickjs-emscripten";
import { packFrame, unpackFrame } from "./frames.mjs";
import { PRELUDE } from "./prelude.mjs";
import { csvToJson, jsonToRows } from "./read-table.mjs";

/**
 * @typedef {import("quickjs-emscripten").QuickJSContext} QuickJSContext
 * @typedef {import("quickjs-emscripten").QuickJSRuntime} QuickJSRuntime
 * @typedef {import("quickjs-emscripten").QuickJSHandle} QuickJSHandle
 * @typedef {{ code: string, paths: string[], deadlineMilliseconds: number, outputMaxCharacters: number, memoryMaxBytes: number, ordersMax: number, ordersMaxBytes: number }} SandboxRequest
 * @typedef {ReturnType<typeof createLog>} Log
 * @typedef {ReturnType<typeof createOrders>} Orders
 */

const WASM_PAGE_BYTES = 65_536;
const STACK_MAX_BYTES = 160 * 1024;

/** @returns {Promise<{ request: SandboxRequest, texts: Uint8Array[] }>} */
async function readRequest() {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  const { header, payloads } = unpackFrame(Buffer.concat(chunks));
  // Our own parent wrote it.
  return { request: /** @type {SandboxRequest} */ (header), texts: payloads };
}

/**
 * Files that the guest wants made, and those that it saved. A later one of the same path takes the
 * place of the former.
 * @param {SandboxRequest} request
 */
function createOrders({ ordersMax, ordersMaxBytes }) {
  /** @type {Map<string, { maker: string, path: string, payload: Uint8Array }>} */
  const byPath = new Map();
  let bytes = 0;
  return {
    /**
     * @param {string} maker
     * @param {string} path
     * @param {Uint8Array} payload
     * @returns {string | null} why it is not taken
     */
    add(maker, path, payload) {
      const former = byPath.get(path)?.payload.length ?? 0;
      if (byPath.size >= ordersMax && !byPath.has(path))
        return `One call makes at most ${ordersMax} files.`;
      if (bytes - former + payload.length > ordersMaxBytes)
        return `One call hands over at most ${ordersMaxBytes / 1024 / 1024} MiB for its files.`;
      bytes += payload.length - former;
      // Behind all others, as it may name them.
      byPath.delete(path);
      byPath.set(path, { maker, path, payload });
      return null;
    },
    read: () => [...byPath.values()],
  };
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
 * @param {QuickJSContext} context
 * @param {Guest} guest
 */
function prepare(context, { request, texts, log, orders }) {
  const logger = context.newFunction("log", (line) => log.add(context.getString(line)));
  context.setProp(context.global, "__log", logger);
  logger.dispose();
  const maker = context.newFunction("make", (kind, path, content) => {
    const payload =
      context.typeof(content) === "string"
        ? Buffer.from(context.getString(content))
        : context.getArrayBuffer(content).consume((lifetime) => Buffer.from(lifetime.value));
    const problem = orders.add(context.getString(kind), context.getString(path), payload);
    return problem === null ? context.null : context.newString(problem);
  });
  context.setProp(context.global, "__make", maker);
  maker.dispose();
  const table = context.newFunction("table", (type, text, delimiter) =>
    context.newString(
      tableOf(context.getString(type), context.getString(text), context.getString(delimiter)),
    ),
  );
  context.setProp(context.global, "__table", table);
  table.dispose();
  const files = context.newObject();
  request.paths.forEach((path, at) => {
    const text = context.newString(Buffer.from(texts[at] ?? []).toString("utf8"));
    context.defineProp(files, path, { value: text, enumerable: true });
    text.dispose();
  });
  context.setProp(context.global, "__files", files);
  files.dispose();
  return context.unwrapResult(context.evalCode(PRELUDE, "<prelude>", { type: "global" }));
}

/**
 * JSON of its rows, or what is wrong with it behind an exclamation mark.
 * @param {string} type
 * @param {string} text
 * @param {string} delimiter
 */
function tableOf(type, text, delimiter) {
  try {
    return type === "json" ? jsonToRows(text) : csvToJson(text, delimiter);
  } catch (error) {
    return `!${error instanceof Error ? error.message.slice(0, 300) : "It cannot be read."}`;
  }
}

/** @typedef {{ request: SandboxRequest, texts: Uint8Array[], log: Log, orders: Orders }} Guest */

/**
 * @param {QuickJSRuntime} runtime
 * @param {QuickJSContext} context
 * @param {Guest} guest
 */
function execute(runtime, context, guest) {
  const { request } = guest;
  const toText = prepare(context, guest);
  runtime.setInterruptHandler(
    shouldInterruptAfterDeadline(Date.now() + request.deadlineMilliseconds),
  );
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

const { request, texts } = await readRequest();
const log = createLog(request.outputMaxCharacters);
const orders = createOrders(request);
let answer;
try {
  const pages = Math.ceil(request.memoryMaxBytes / WASM_PAGE_BYTES);
  const wasmMemory = new WebAssembly.Memory({ initial: 256, maximum: pages });
  const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(RELEASE_SYNC, { wasmMemory }));
  const runtime = quickjs.newRuntime();
  runtime.setMaxStackSize(STACK_MAX_BYTES);
  answer = execute(runtime, runtime.newContext(), { request, texts, log, orders });
} catch (error) {
  answer = {
    error: `The sandbox stopped: ${error instanceof Error ? error.message.slice(0, 200) : "unknown reason"}`,
  };
}
// What failed half-way leaves no files.
const ordered = "error" in answer ? [] : orders.read();
const header = {
  ...answer,
  log: log.read(),
  orders: ordered.map(({ maker, path }) => ({ maker, path })),
};
const payloads = ordered.map(({ payload }) => payload);
for (const piece of packFrame(header, payloads)) process.stdout.write(piece);
process.stdout.write("", () => process.exit(0));
