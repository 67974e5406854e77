import "server-only";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { isPlainHost } from "@/lib/api/http/is-own-host";
import { findCaller } from "@/lib/api/http/known-callers";
import { noSuchRoute } from "@/lib/api/http/router";
import { invalidInput, ServiceError } from "@/lib/model/errors";
import type { TrustedProxies } from "@/lib/platform/client-address";
import { AddressLimit } from "./address-limit";
import { answerApi, UNSENDABLE_METHODS } from "./answer-api";
import { BodyGuard, systemTimer, type Timer } from "./body-guard";
import { writeClientHeaders } from "./client-headers";
import { ConnectionLimit } from "./connection-limit";
import { drainRequest } from "./drain-request";
import { FairQueue } from "./fair-queue";
import { PacedLane } from "./paced-lane";
import { answersJson, type PathRule, ruleOf } from "./path-rules";
import { refuse } from "./refuse";
import { toOriginForm } from "./request-target";

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
}

export interface Listener {
  /** Answers one request, or hands it to `next` (Next's handler) once it has passed. */
  answer: (request: IncomingMessage, response: ServerResponse, next: Handler) => void;
  /** Bounds the connections of a server, from now on. */
  watch: (server: Server) => void;
}

// Found by measurement (decision 0015): fewer leave the processor idle while the database works, more let one account's burst be felt by the others.
const PLACES = { total: 24, each: 4, waitingEach: 1_000 };
const PAGE_COST = 4;
const WAIT_MAX_MS = 30_000;

/**
 * What every request passes, whatever serves it, in the contract's order: its address is counted, its host looked at, its body bounded in size and time, and
 * it waits for its account's turn. Only then does the dispatcher or Next see it. Immutable static files alone are under none of this.
 */
export function createListener(settings: ListenerSettings): Listener {
  const { trustedProxies, timer = systemTimer, rules = ruleOf } = settings;
  const addresses = new AddressLimit(settings.addressesPerMinute, settings.now);
  const connections = new ConnectionLimit(settings.connectionsPerAddress, trustedProxies);
  const queue = new FairQueue(PLACES);
  const refusals = new PacedLane();

  const answer: Listener["answer"] = (request, response, next) => {
    toOriginForm(request);
    const { limitKey } = writeClientHeaders(request, trustedProxies);
    const rule = rules(request.method ?? "GET", request.url ?? "/");
    drainRequest(request, response);
    if (rule.kind === "static") return next(request, response);
    const wait = addresses.take(limitKey);
    if (wait > 0) return refuseInTurn(tooMany(`Too many requests from this address. Try again in ${wait} seconds.`, wait));
    if (!isPlainHost(request.headers.host ?? "localhost"))
      return refuseNow(invalidInput("Host", "must be a host name, with a port at most"));
    if (UNSENDABLE_METHODS.has(request.method ?? "") && rule.kind !== "api") return refuseNow(noSuchRoute());
    const guard = new BodyGuard(request, response, rule, cutOff, timer);
    const announced = rule.kind === "api" ? null : guard.announcedTooLarge();
    if (announced) return refuseNow(announced);
    // An Inngest server's calls last as long as a model's turn, come from one address, and prove themselves by their signature.
    if (rule.kind === "engine") return passEngine();
    waitForTurn();

    function waitForTurn(): void {
      const { authorization, cookie } = request.headers;
      const leave = queue.enter({
        client: findCaller({ authorization, cookie }) ?? limitKey,
        cost: rule.kind === "page" ? PAGE_COST : 1,
        shared: request.complete || !hasBody(request),
        start: () => setPlace(),
      });
      if (!leave) return refuseInTurn(tooMany("Too many requests are waiting already. Wait for some answers first.", 1));
      const stopWaiting = timer(WAIT_MAX_MS, () => {
        leave();
        refuseNow(tooMany("This request waited too long behind others of yours. Send fewer at once.", 1));
      });
      response.once("close", leave).once("finish", leave);
      // A page is rendered on after its first bytes; everything else has done its work by then, and a slow reader holds nothing.
      if (rule.kind !== "page") onHeaders(response, leave);

      function setPlace(): void {
        // Also when it is started within `enter`, before there is anything to stop.
        queueMicrotask(() => {
          stopWaiting();
          if (response.headersSent || response.destroyed) return leave?.();
          if (rule.kind === "api") void answerApi(request, response, guard);
          else next(request, response);
        });
      }
    }

    function passEngine(): void {
      response.once("finish", () => {
        if (response.hasHeader("x-inngest-signature")) addresses.giveBack(limitKey);
      });
      next(request, response);
    }

    function refuseNow(error: ServiceError): void {
      refuse(response, error, answersJson(rule));
    }

    function refuseInTurn(error: ServiceError): void {
      if (!refusals.do(() => refuseNow(error))) request.socket.destroy();
    }

    /** Whoever works on the request finds it broken off, and whatever he still says is not heard. */
    function cutOff(error: ServiceError): void {
      if (response.headersSent) return void request.destroy();
      refuseNow(error);
      mute(response);
    }
  };
  return { answer, watch: (server) => connections.watch(server) };
}

function tooMany(message: string, seconds: number): ServiceError {
  return new ServiceError("RATE_LIMITED", message, {}, { "Retry-After": String(seconds) });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** Calls `work` when the answer's headers are sent: Node has no event for it, but every way to send them ends in `writeHead`. */
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
