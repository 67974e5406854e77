import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { collectWhenIdle } from "../platform/collect-when-idle.mjs";
import { surviveLostOutput } from "../platform/lost-output.mjs";
import { processHooks } from "../platform/process-hooks.mjs";
import { startWatchdog } from "../platform/watchdog.mjs";

const SHUTDOWN_LIMIT_MS = 25_000;
const LAST_ANSWERS_MS = 2_000;
const KEEP_ALIVE_MS = 65_000;
const HEADERS_MS = 30_000;

/**
 * @typedef {import("node:http").IncomingMessage} IncomingMessage
 * @typedef {import("node:http").ServerResponse} ServerResponse
 * @typedef {import("node:http").Server} Server
 * @typedef {import("../platform/process-hooks.mjs").RequestHandler} RequestHandler
 *
 * @typedef {object} NextApp what is used of Next's server
 * @property {() => Promise<void>} prepare
 * @property {() => RequestHandler} getRequestHandler
 * @property {() => (request: IncomingMessage, socket: import("node:stream").Duplex, head: Buffer)
 * => void} getUpgradeHandler
 * @property {() => Promise<void>} close
 */

/** A setting with which the service cannot listen, in a sentence for the person at the terminal. */
export class ListenError extends Error {
  /** @override */
  name = "SettingsError";
}

/**
 * Serves the clone at `root` on HOST (127.0.0.1 by default: nobody else reaches a fresh install)
 * and PORT.
 * @param {object} options
 * @param {string} options.root
 * @param {boolean} [options.dev] pages and routes are compiled as they change
 * @param {(close: () => Promise<void>) => void} options.onShutdown is given how to close: stop
 * accepting, let the runtime settle for at most 25 s, close
 * @returns {Promise<string>} the address, when requests are accepted
 * @throws ListenError, for example when the port is taken; what instrumentation.ts failed with,
 * named SettingsError when it is a setting's fault
 */
export async function serve({ root, dev = false, onShutdown }) {
  const hostname = process.env.HOST || "127.0.0.1";
  const port = Number(process.env.PORT);
  /** @type {RequestHandler} */
  let answer = refuseForNow;
  const options = {
    requestTimeout: 0,
    headersTimeout: HEADERS_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  };
  const server = createServer(options, (request, response) => answer(request, response));
  const hooks = processHooks();
  hooks.askingServers.add(server);
  // Held from the start, so that a taken port is told before the work of starting is done.
  await listen(server, port, hostname);
  /** @type {NextApp | undefined} */
  let app;
  onShutdown(() => close(server, app));
  keepServing();
  process.env.NODE_ENV = dev ? "development" : "production";
  if (!dev) applyBuiltConfig(root);
  const next = await loadNext();
  const made = next({ dev, dir: root, hostname, port });
  app = made;
  // Next does not wait for `register` in instrumentation.ts, and goes on when that has failed.
  const started = new Promise((resolve, reject) => {
    hooks.started = (error) => (error ? reject(error) : resolve(null));
  });
  await Promise.all([made.prepare(), started]);
  // Not while it starts, which stands now and then, nor under a debugger.
  if (!dev) {
    const { doing } = startWatchdog();
    hooks.doing = doing;
    collectWhenIdle({ doing });
  }
  answer = behindListener(made.getRequestHandler());
  hooks.listener?.watch(server);
  hooks.listening?.();
  if (dev) server.on("upgrade", made.getUpgradeHandler());
  return process.env.NEXTAUTH_URL || `http://localhost:${port}`;
}

/**
 * The settings that the build was made with, as Next's own `server.js` of a standalone build hands
 * them on. Read from next.config.mjs again they would have to pass through parts of Next that an
 * image leaves out.
 * @param {string} root
 */
function applyBuiltConfig(root) {
  const { config } = JSON.parse(
    readFileSync(join(root, ".next/required-server-files.json"), "utf8"),
  );
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);
}

/**
 * Not before NODE_ENV is set, which Next reads when it is loaded. By a name that the type checker
 * does not follow: Next's declarations change the type of
 * `process.env` for every script.
 * @returns {Promise<(options: { dev: boolean, dir: string, hostname: string, port: number }) =>
 * NextApp>}
 */
async function loadNext() {
  const name = /** @type {string} */ ("next");
  return (await import(name)).default;
}

/** @type {RequestHandler} */
function refuseForNow(_request, response) {
  response.writeHead(503, { "retry-after": "1" }).end();
}

/**
 * Everything passes the listener that `instrumentation.ts` mounted, which counts, bounds and routes
 * it; what is Next's reaches `nextHandler` through it alone. Without a listener nothing is served.
 * @param {RequestHandler} nextHandler
 * @returns {RequestHandler}
 */
export function behindListener(nextHandler) {
  return (request, response) => {
    const { listener } = processHooks();
    if (listener) listener.answer(request, response, nextHandler);
    else refuseForNow(request, response);
  };
}

/**
 * @param {Server} server
 * @param {number} port
 * @param {string} host
 * @returns {Promise<void>}
 */
function listen(server, port, host) {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(listenError(error, port, host)));
    server.listen({ port, host }, () => resolve());
  });
}

/**
 * @param {NodeJS.ErrnoException} error
 * @param {number} port
 * @param {string} host
 */
function listenError({ code }, port, host) {
  if (code === "EADDRINUSE")
    return new ListenError(`Port ${port} is taken by another program; set PORT to another one.`);
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return new ListenError(
      `HOST=${host} is no address of this machine; 127.0.0.1 is reached from here only, 0.0.0.0 ` +
        "from everywhere.",
    );
  if (code === "EACCES")
    return new ListenError(`This user may not listen on port ${port}; set PORT to one above 1023.`);
  return new ListenError(`The service cannot listen on ${host}:${port} (${code}).`);
}

/**
 * Ends in order: no more requests, the runtime's work, the last answers, Next, and then all that
 * the process's service shares, of which nobody asks any more.
 * @param {Pick<Server, "close" | "closeAllConnections">} server
 * @param {Pick<NextApp, "close"> | undefined} app
 */
export async function close(server, app) {
  const drained = new Promise((resolve) => server.close(resolve));
  const { shutdown, flushTelemetry, closeService } = processHooks();
  await within(SHUTDOWN_LIMIT_MS, shutdown?.());
  await within(LAST_ANSWERS_MS, drained);
  await within(LAST_ANSWERS_MS, flushTelemetry?.());
  server.closeAllConnections();
  await within(LAST_ANSWERS_MS, app?.close());
  await within(LAST_ANSWERS_MS, closeService?.());
}

/**
 * Waits for `work`, at most `limitMs`; its failure is told and does not keep the process from
 * ending.
 * @param {number} limitMs
 * @param {Promise<unknown> | undefined} work
 */
async function within(limitMs, work) {
  const stop = new AbortController();
  const ended = Promise.resolve(work).catch((error) =>
    console.error("While shutting down:", error),
  );
  await Promise.race([ended, delay(limitMs, undefined, { signal: stop.signal }).catch(() => {})]);
  stop.abort();
}

/** One uncaught error must not end the runs of everybody else; Next's own server does the same. */
function keepServing() {
  surviveLostOutput();
  process.on("uncaughtException", (error) => console.error("An error that nobody caught:", error));
  process.on("unhandledRejection", (error) =>
    console.error("A rejection that nobody handled:", error),
  );
}
