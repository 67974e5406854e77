import "server-only";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { findCaller } from "@/lib/api/http/bearer-key";
import {
  CLIENT_ADDRESS_HEADER,
  CLIENT_IP_HEADER,
  FORWARDED_HEADER,
  isPlainHost,
  REQUEST_PATH_HEADER,
} from "@/lib/api/http/request";
import { noSuchRoute } from "@/lib/api/http/router";
import { invalidInput, ServiceError } from "@/lib/model/errors";
import {
  AddressLimit,
  type ClientAddress,
  ConnectionLimit,
  clientAddress,
  isNearAddress,
  type TrustedProxies,
} from "@/lib/server/address-limits";
import { answerApi, UNSENDABLE_METHODS } from "@/lib/server/answer-api";
import { BodyGuard, hasBody, systemTimer, type Timer } from "@/lib/server/body-guard";
import { FairQueue, PacedLane } from "@/lib/server/fair-queue";
import { answersJson, isOfEveryProcess, type PathRule, ruleOf } from "@/lib/server/path-rules";
import { refuse, refuseBrokenRequest } from "@/lib/server/refuse";
import { RequestRecord, type SeenRequest } from "@/lib/server/request-record";

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface ListenerSettings {
  /** Requests of one address a minute; 0: no limit. */
  addressesPerMinute: number;
  /** Open connections of one address; 0: no limit. */
  connectionsPerAddress: number;
  trustedProxies: TrustedProxies;
  /** Milliseconds since some point in time. */
  now?: () => number;
  timer?: Timer;
  rules?: typeof ruleOf;
  /** False: a process that works on runs, and answers for itself alone. */
  isWeb?: boolean;
  /**
   * Told once of a connection that is a proxy's by all that can be seen, while no proxy is trusted.
   */
  tellUntrusted?: (address: string) => void;
  /** Told of each request when its answer has ended. */
  tell?: (seen: SeenRequest) => void;
}

export interface Listener {
  /** Answers one request, or hands it to `next` (Next's handler) once it has passed. */
  answer: (request: IncomingMessage, response: ServerResponse, next: Handler) => void;
  /** Bounds the connections of a server, and answers what is no request, from now on. */
  watch: (server: Server) => void;
}

// Found by measurement (decisions 0015 and 0081): fewer leave the processor idle while the database
// works, more let one account's burst be felt by the others, and many together cost less.
const PLACES = { total: 24, each: 2, alone: 16, waitingEach: 1_000 };
const PAGE_COST = 2;
const LISTENERS_MAX = 30;
const WAIT_MAX_MS = 30_000;
/**
 * Who takes longer than this waits for something else than the processor, such as for the bytes of
 * an upload.
 */
const PLACE_MAX_MS = 1_000;
const PAGE_PLACE_MAX_MS = 5_000;

/**
 * What every request passes, whatever serves it, in the contract's order: its address is counted,
 * its host looked at, its body bounded in size and time, and it waits for its account's turn. Only
 * then does the dispatcher or Next see it. Immutable static files alone are under none of this.
 */
export function createListener(settings: ListenerSettings): Listener {
  const {
    trustedProxies,
    timer = systemTimer,
    rules = ruleOf,
    isWeb = true,
    now = () => performance.now(),
    tell = () => {},
    tellUntrusted = () => {},
  } = settings;
  let hasToldUntrusted = false;
  const connections = new ConnectionLimit(settings.connectionsPerAddress, trustedProxies);
  const shared = {
    addresses: new AddressLimit(settings.addressesPerMinute, settings.now),
    queue: new FairQueue(PLACES),
    refusals: new PacedLane(),
    timer,
    isWeb,
  };
  return {
    answer(request, response, next) {
      toOriginForm(request);
      if (!hasToldUntrusted && isUntrustedProxy(request, trustedProxies)) {
        hasToldUntrusted = true;
        tellUntrusted(request.socket.remoteAddress ?? "");
      }
      const { limitKey, viaProxy } = writeClientHeaders(request, trustedProxies);
      const rule = rules(request.method ?? "GET", request.url ?? "/");
      // Each part of the way listens for the answer's end, and Next some more; Node takes eleven
      // for a leak.
      response.setMaxListeners(LISTENERS_MAX);
      const record = new RequestRecord(request, response, rule, {
        now,
        tell,
        isTraceTrusted: viaProxy,
      });
      drainRequest(request, response);
      if (rule.kind === "static" && isWeb) next(request, response);
      else
        new Passage(shared, { request, response, next, rule, record, address: limitKey }).enter();
    },
    watch(server) {
      connections.watch(server);
      server.on("clientError", refuseBrokenRequest);
    },
  };
}

interface Shared {
  addresses: AddressLimit;
  queue: FairQueue;
  refusals: PacedLane;
  timer: Timer;
  isWeb: boolean;
}

interface Visit {
  request: IncomingMessage;
  response: ServerResponse;
  next: Handler;
  rule: PathRule;
  record: RequestRecord;
  /** What the client's address is counted by. */
  address: string;
}

/** One request on its way through. */
class Passage {
  readonly #shared: Shared;
  readonly #visit: Visit;

  constructor(shared: Shared, visit: Visit) {
    this.#shared = shared;
    this.#visit = visit;
  }

  enter(): void {
    const { request, response, next, rule, record, address } = this.#visit;
    const wait = rule.isProbe ? 0 : this.#shared.addresses.take(address);
    if (wait > 0) {
      this.#refuseInTurn(
        tooMany(`Too many requests from this address. Try again in ${wait} seconds.`, wait),
      );
      return;
    }
    const guard = new BodyGuard(
      request,
      response,
      rule,
      (error) => this.#cutOff(error),
      this.#shared.timer,
    );
    const fault = this.#findFault(guard);
    if (fault) this.#refuse(fault);
    else if (rule.isProbe) record.within(() => next(request, response));
    else if (rule.kind === "engine") this.#passEngine();
    // A body that came with its headers is here in the next turn; one on its way takes no place of
    // all.
    else if (hasBody(request)) setImmediate(() => this.#waitForTurn(guard));
    else this.#waitForTurn(guard);
  }

  #findFault(guard: BodyGuard): ServiceError | null {
    const { request, rule } = this.#visit;
    if (!isPlainHost(request.headers.host ?? "localhost"))
      return invalidInput("Host", "must be a host name, with a port at most");
    if (!this.#shared.isWeb && !isOfEveryProcess(request.url ?? "/"))
      return new ServiceError("SERVICE_UNAVAILABLE", WORKER_ONLY, {}, { "Retry-After": "1" });
    // The API has its own answer to these, and asks for the key before it looks at a body's size
    // (contract §1).
    if (rule.kind === "api") return null;
    return UNSENDABLE_METHODS.has(request.method ?? "") ? noSuchRoute() : guard.announcedTooLarge();
  }

  #waitForTurn(guard: BodyGuard): void {
    const { request, response, rule, record, address } = this.#visit;
    const { authorization, cookie } = request.headers;
    record.caller = findCaller({ authorization, cookie });
    let isWaiting = true;
    let stopWaiting = () => {};
    const leave = this.#shared.queue.enter({
      client: record.caller ?? address,
      cost: rule.kind === "page" ? PAGE_COST : 1,
      shared: !hasBody(request) || request.complete,
      start: () => {
        isWaiting = false;
        stopWaiting();
        // In a microtask: it may be its turn before `enter` has returned.
        queueMicrotask(() => this.#work(guard, leave));
      },
    });
    if (!leave) {
      this.#refuseInTurn(
        tooMany("Too many requests of yours are waiting already. Wait for some of the answers.", 1),
      );
      return;
    }
    if (isWaiting)
      stopWaiting = this.#shared.timer(WAIT_MAX_MS, () => {
        leave();
        this.#refuse(
          tooMany("This request waited too long behind others of yours. Send fewer at once.", 1),
        );
      });
    for (const end of ["finish", "close"])
      response.once(end, () => {
        stopWaiting();
        leave();
      });
  }

  #work(guard: BodyGuard, leave: (() => void) | null): void {
    const { request, response, next, rule, record } = this.#visit;
    if (response.headersSent || response.destroyed) {
      leave?.();
      return;
    }
    if (leave) {
      const keep = this.#shared.timer(
        rule.kind === "page" ? PAGE_PLACE_MAX_MS : PLACE_MAX_MS,
        leave,
      );
      response.once("close", keep);
    }
    // A page is rendered on after its first bytes; everything else has done its work by then, and a
    // slow reader holds nothing.
    if (rule.kind !== "page" && leave) onHeaders(response, leave);
    // Here and not around all of it: a request that waited is let in by the end of another one.
    record.within(() => {
      if (rule.kind === "api") void answerApi(request, response, guard);
      else next(request, response);
    });
  }

  /**
   * An Inngest server's calls last as long as a model's turn and come from one address; they prove
   * themselves by their signature, and then count as none.
   */
  #passEngine(): void {
    const { request, response, next, record, address } = this.#visit;
    response.once("finish", () => {
      if (response.hasHeader("x-inngest-signature")) this.#shared.addresses.refund(address);
    });
    record.within(() => next(request, response));
  }

  #refuse(error: ServiceError): void {
    refuse(this.#visit.response, error, answersJson(this.#visit.rule));
  }

  #refuseInTurn(error: ServiceError): void {
    if (!this.#shared.refusals.do(() => this.#refuse(error))) this.#visit.request.socket.destroy();
  }

  /** Whoever works on the request finds it broken off, and whatever he still says is not heard. */
  #cutOff(error: ServiceError): void {
    const { request, response } = this.#visit;
    if (response.headersSent) {
      request.destroy();
      return;
    }
    this.#refuse(error);
    mute(response);
  }
}

const WORKER_ONLY =
  "This process works on runs and answers no requests: ask one whose LATHE_ROLES has web.";

function tooMany(message: string, seconds: number): ServiceError {
  return new ServiceError("RATE_LIMITED", message, {}, { "Retry-After": String(seconds) });
}

/**
 * Calls `work` when the answer's headers are sent: Node has no event for it, but every way to send
 * them ends in `writeHead`.
 */
function onHeaders(response: ServerResponse, work: () => void): void {
  const writeHead = response.writeHead.bind(response);
  response.writeHead = ((...args: Parameters<typeof writeHead>) => {
    work();
    return writeHead(...args);
  }) as typeof response.writeHead; // Parameters<> knows the last of its overloads only
}

function mute(response: ServerResponse): void {
  response.setHeader = () => response;
  response.writeHead = () => response;
  response.write = () => true;
  response.end = () => response;
}

/** What is read and brought into form of a request; Node's `IncomingMessage` has it. */
interface Target {
  url?: string | undefined;
  headers: { host?: string | undefined };
}

/**
 * Brings the target of a request into the form `/path?query` that routes are found by. Every server
 * has to take `GET http://host/path` too (RFC 9112 §3.2.2), whose host then counts instead of the
 * header's; `OPTIONS *` becomes a path that no route has.
 */
export function toOriginForm(request: Target): void {
  const url = request.url ?? "/";
  if (url.startsWith("/")) return;
  const absolute = /^https?:\/\/(?:[^/?#@]*@)?([^/?#]*)(.*)$/is.exec(url);
  if (absolute) request.headers.host = absolute[1];
  const rest = absolute?.[2] ?? url;
  request.url = rest.startsWith("/") ? rest : `/${rest}`;
}

const FORWARDED = [
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-port",
  "x-forwarded-proto",
  "x-real-ip",
];

/**
 * Makes a request's headers say who it comes from, for whatever reads them later: our own headers
 * are written over whatever a client sent under their names, and what it says about its address is
 * replaced by the socket's unless the connection is a trusted proxy's (Next would believe the
 * client).
 */
export function writeClientHeaders(
  request: IncomingMessage,
  trustedProxies: TrustedProxies,
): ClientAddress {
  const { headers } = request;
  const forwardedFor = [headers["x-forwarded-for"] ?? ""].flat().join(",");
  const client = clientAddress({
    socketAddress: request.socket.remoteAddress,
    forwardedFor,
    trustedProxies,
  });
  if (isForwarded(request)) headers[FORWARDED_HEADER] = "1";
  else delete headers[FORWARDED_HEADER];
  if (!client.viaProxy) {
    for (const name of FORWARDED) delete headers[name];
    headers["x-forwarded-for"] = client.address;
  } else if (!isPlainHost(String(headers["x-forwarded-host"] ?? "plain"))) {
    // Most proxies hand on what the client wrote there.
    delete headers["x-forwarded-host"];
  }
  headers[CLIENT_ADDRESS_HEADER] = client.limitKey;
  headers[CLIENT_IP_HEADER] = client.address;
  headers[REQUEST_PATH_HEADER] = request.url ?? "/";
  return client;
}

const PROXY_HEADERS = new Set([
  "forwarded",
  "via",
  "x-real-ip",
  "x-client-ip",
  "cf-connecting-ip",
  "true-client-ip",
]);

/**
 * Without trust all of a proxy's clients are one address, and share one limit: nobody notices
 * before it is reached.
 */
function isUntrustedProxy(
  { headers, socket }: IncomingMessage,
  trustedProxies: TrustedProxies,
): boolean {
  return (
    trustedProxies.length === 0 &&
    headers["x-forwarded-for"] !== undefined &&
    isNearAddress(socket.remoteAddress ?? "")
  );
}

/** Whether a proxy has handed it on, or somebody wants that believed. */
function isForwarded({ headers }: IncomingMessage): boolean {
  for (const name in headers)
    if (name.startsWith("x-forwarded-") || PROXY_HEADERS.has(name)) return true;
  return false;
}

const LIMIT_BYTES = 128 * 1024 * 1024;
const LIMIT_MS = 30_000;

/**
 * When `response` is finished, reads away what is left of its request's body, so that the next
 * request on the connection is not stuck behind it. Node does so only for a body that nobody had
 * begun to read. A body over 128 MiB or 30 s costs the connection instead.
 */
export function drainRequest(request: IncomingMessage, response: ServerResponse): void {
  response.once("finish", () => {
    if (request.readableEnded || request.destroyed) return;
    // Whoever was reading has answered; its listeners would pause the stream again.
    for (const event of ["data", "readable"]) request.removeAllListeners(event);
    const giveUp = () => request.socket.destroy();
    const timer = setTimeout(giveUp, LIMIT_MS).unref();
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > LIMIT_BYTES) giveUp();
    });
    request.once("close", () => clearTimeout(timer));
    request.resume();
  });
}
