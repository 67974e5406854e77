import "server-only";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage, Server } from "node:http";
import { env, isWeb, SettingsError } from "@/lib/env";
import { log } from "@/lib/platform/log";
import { metrics } from "@/lib/platform/metrics/metrics";
import { processHooks } from "@/lib/platform/process-hooks.mjs";
import { parseTrustedProxies, type TrustedProxies } from "@/lib/server/address-limits";
import { createListener, type Handler, type Listener } from "@/lib/server/listener";
import type { SeenRequest } from "@/lib/server/request-record";
import { definePart } from "@/lib/service";

/**
 * Puts the listener in front of whatever serves this process. `npm start`'s own server asks for it
 * by name. Any other one, such as that of `next start`, is found at its first request: Node
 * announces each on a diagnostics channel before the server's handlers are called, so that they are
 * replaced in time.
 * @throws SettingsError for TRUSTED_PROXIES that cannot be read
 */
export function mountListener(): void {
  mounted();
}

const REQUESTS = "http.server.request.start";

const mounted = definePart(
  "listener",
  () => {
    const { IP_LIMIT_PER_MINUTE, CONNECTIONS_PER_ADDRESS } = env();
    const tellers = requestTellers();
    const listener = createListener({
      addressesPerMinute: IP_LIMIT_PER_MINUTE,
      connectionsPerAddress: CONNECTIONS_PER_ADDRESS ?? IP_LIMIT_PER_MINUTE,
      trustedProxies: readTrustedProxies(),
      isWeb: isWeb(),
      tellUntrusted: (address) =>
        log.warn(
          { address },
          `Requests come with X-Forwarded-For from ${address}, which TRUSTED_PROXIES does not ` +
            "name: if that is your proxy, name it there, else all of its clients count as one " +
            "address.",
        ),
      tell: (seen) => {
        for (const tell of tellers) tell(seen);
      },
    });
    processHooks().listener = listener;
    const onRequest = (message: unknown) =>
      takeOver((message as { server: Server }).server, listener); // Node's documented payload
    subscribe(REQUESTS, onRequest);
    return { listener, onRequest };
  },
  ({ listener, onRequest }) => {
    unsubscribe(REQUESTS, onRequest);
    const hooks = processHooks();
    if (hooks.listener === listener) delete hooks.listener;
  },
);

/** Who is told of each request: the log, the metrics, or nobody. */
function requestTellers(): ((seen: SeenRequest) => void)[] {
  const tellers = [];
  if (env().ACCESS_LOG && log.isLevelEnabled("info"))
    tellers.push((seen: SeenRequest) => log.info(seen, "request"));
  if (env().METRICS_TOKEN) tellers.push(countRequest);
  return tellers;
}

/** Puts `listener` in front of the handlers of a server that does not ask it by itself. */
function takeOver(server: Server, listener: Listener): void {
  const { askingServers } = processHooks();
  if (askingServers.has(server)) return;
  askingServers.add(server);
  // What an HTTP server calls with a request and its response.
  const handlers = server.listeners("request") as Handler[];
  server.removeAllListeners("request");
  server.on("request", (request: IncomingMessage, response) =>
    listener.answer(request, response, (...args) => {
      for (const handler of handlers) handler.apply(server, args);
    }),
  );
  listener.watch(server);
}

function readTrustedProxies(): TrustedProxies {
  try {
    return parseTrustedProxies(env().TRUSTED_PROXIES);
  } catch (error) {
    throw new SettingsError(error instanceof Error ? error.message : String(error));
  }
}

const METHODS = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]);

/** Counts a request for Prometheus. A client can make up methods, but no new series. */
export function countRequest({ kind, method, status, duration_ms }: SeenRequest): void {
  const labels = {
    kind,
    method: METHODS.has(method) ? method : "other",
    status: status === null ? "none" : `${Math.trunc(status / 100)}xx`,
  };
  metrics()?.httpRequests.observe(labels, duration_ms / 1000);
}
