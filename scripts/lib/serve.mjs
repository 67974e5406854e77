import { createServer } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { say } from "./say.mjs";
import { SetupError } from "./setup-error.mjs";

const SHUTDOWN_LIMIT_MS = 25_000;
const LAST_ANSWERS_MS = 2_000;
const LISTENER = Symbol.for("lathe.listener");
const SHUTDOWN = Symbol.for("lathe.shutdown");
const LISTENING = Symbol.for("lathe.listening");
// Of lib/platform/tell-started.ts.
const STARTED = Symbol.for("lathe.started");
// Of lib/platform/telemetry/start-telemetry.ts, where traces are sent.
const FLUSH = Symbol.for("lathe.flush-telemetry");

/**
 * Serves the clone at `root` on HOST (127.0.0.1 by default: nobody else reaches a fresh install) and PORT. Returns
 * the address when requests are accepted; how to close is given to `ending` (from endOnSignals): stop accepting, let the runtime
 * settle for at most 25 s, close. Throws a SetupError, for example when the port is taken.
 */
export async function serve({ root, dev = false, ending }) {
  const hostname = process.env.HOST || "127.0.0.1";
  const port = Number(process.env.PORT);
  let answer = refuseForNow;
  const server = createServer({ requestTimeout: 0, headersTimeout: 30_000, keepAliveTimeout: 65_000 }, (request, response) =>
    answer(request, response),
  );
  // Says to lib/server/mount-listener.ts that this server asks the listener itself.
  server[LISTENER] = true;
  // Held from the start, so that a taken port is told before the work of starting is done.
  await listen(server, port, hostname);
  let app;
  ending.add(() => close(server, app));
  keepServing();
  process.env.NODE_ENV = dev ? "development" : "production";
  const { default: next } = await import("next");
  app = next({ dev, dir: root, hostname, port });
  // Next does not wait for `register` in instrumentation.ts, and goes on when that has failed.
  const started = new Promise((resolve, reject) => {
    globalThis[STARTED] = (error) => (error ? reject(toSetupError(error)) : resolve());
  });
  await Promise.all([app.prepare(), started]);
  answer = behindListener(app.getRequestHandler());
  globalThis[LISTENER].watch(server);
  globalThis[LISTENING]?.();
  if (dev) server.on("upgrade", app.getUpgradeHandler());
  const address = process.env.NEXTAUTH_URL || `http://localhost:${port}`;
  say(`Lathe is ready on ${address}`);
  return address;
}

function refuseForNow(_request, response) {
  response.writeHead(503, { "retry-after": "1" }).end();
}

/**
 * Everything passes the listener that `instrumentation.ts` mounted (lib/server), which counts, bounds and routes it; what is Next's reaches `nextHandler` through
 * it alone. Without a listener nothing is served.
 */
export function behindListener(nextHandler) {
  return (request, response) => {
    const listener = globalThis[LISTENER];
    if (listener) listener.answer(request, response, nextHandler);
    else refuseForNow(request, response);
  };
}

/** What `register` in instrumentation.ts says of the settings is a sentence for the person at the terminal. */
function toSetupError(error) {
  return error?.name === "SettingsError" ? new SetupError(error.message) : error;
}

function listen(server, port, host) {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(listenError(error, port, host)));
    server.listen({ port, host }, resolve);
  });
}

function listenError(error, port, host) {
  if (error.code === "EADDRINUSE") return new SetupError(`Port ${port} is taken by another program; set PORT to another one.`);
  if (error.code === "EACCES") return new SetupError(`This user may not listen on port ${port}; set PORT to one above 1023.`);
  return new SetupError(`The service cannot listen on ${host}:${port} (${error.code}).`);
}

async function close(server, app) {
  const drained = new Promise((resolve) => server.close(resolve));
  await within(SHUTDOWN_LIMIT_MS, globalThis[SHUTDOWN]?.());
  await within(LAST_ANSWERS_MS, drained);
  await within(LAST_ANSWERS_MS, globalThis[FLUSH]?.());
  server.closeAllConnections();
  await within(LAST_ANSWERS_MS, app?.close());
}

/** Waits for `work`, at most `limitMs`; its failure is told and does not keep the process from ending. */
async function within(limitMs, work) {
  const stop = new AbortController();
  const told = Promise.resolve(work).catch((error) => console.error("While shutting down:", error));
  await Promise.race([told, delay(limitMs, undefined, { signal: stop.signal }).catch(() => {})]);
  stop.abort();
}

/** One stray error must not end the runs of everybody else; Next's own server does the same. */
function keepServing() {
  process.on("uncaughtException", (error) => console.error("An error that nobody caught:", error));
  process.on("unhandledRejection", (error) => console.error("A rejection that nobody handled:", error));
}
