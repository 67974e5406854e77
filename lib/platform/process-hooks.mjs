/**
 * What the server of this process and the code behind it tell each other. They are two module
 * graphs, Node's own and the one that Next (or the bundler of the operator's command) has built,
 * and meet on the global object. This is the only module that knows where.
 *
 * @typedef {import("node:http").IncomingMessage} IncomingMessage
 * @typedef {import("node:http").ServerResponse} ServerResponse
 * @typedef {import("node:http").Server} Server
 * @typedef {(request: IncomingMessage, response: ServerResponse) => void} RequestHandler
 *
 * @typedef {object} MountedListener
 * @property {(request: IncomingMessage, response: ServerResponse, next: RequestHandler) => void}
 * answer
 * @property {(server: Server) => void} watch
 *
 * @typedef {object} ProcessHooks
 * @property {WeakSet<Server>} askingServers the servers that ask the listener by themselves; it is
 * put in front of any other one
 * @property {MountedListener} [listener] set by lib/server/mount-listener.ts; without it
 * lib/server/serve.mjs answers nothing
 * @property {(error: unknown) => void} [started] set by lib/server/serve.mjs, called by
 * lib/platform/report-started.ts; null when all went well
 * @property {(what: string) => void} [doing] set by lib/server/serve.mjs: says which request or run
 * begins to work, for the watchdog
 * @property {() => unknown} [listening] set by lib/jobs/start-service.ts, called when requests are
 * accepted
 * @property {() => Promise<void>} [shutdown] set by lib/jobs/start-service.ts, called when no more
 * requests are accepted
 * @property {() => Promise<void>} [closeService] set by instrumentation.ts: closes all parts of the
 * process's service, called when nothing is answered any more
 * @property {() => Promise<void>} [flushTelemetry] set by lib/platform/start-observability.ts,
 * where traces are sent
 * @property {(databaseUrl: string) => Promise<void>} [migrate] set by scripts/admin.mjs, called by
 * lib/admin/data-commands.ts
 */
const HOOKS = Symbol.for("lathe.hooks");

/** @returns {ProcessHooks} the same object in every module graph of this process */
export function processHooks() {
  // The global object has no index signature for symbols.
  const place = /** @type {{ [HOOKS]?: ProcessHooks }} */ (globalThis);
  place[HOOKS] ??= { askingServers: new WeakSet() };
  return place[HOOKS];
}
