import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes, timingSafeEqual } from "node:crypto";
import { getAsyncCtx } from "inngest/experimental";
import { processSingleton } from "@/lib/platform/process-singleton";
import type { EngineResult } from "@/lib/platform/sql-functions";

/** Who drives a run: every write names it, so that a driver which was replaced changes nothing. */
export interface Claim {
  runId: string;
  functionId: string;
  owner: number;
  attempt: number;
  /** Signals so far; falling asleep fails when there are more by then. */
  wakes: number;
  failures: number;
  takeovers: number;
  event: StoredEvent;
}

export interface StoredEvent {
  id: string;
  name: string;
  data: unknown;
  /** Milliseconds since 1970. */
  ts: number;
}

/** What the `WHERE` of each of its writes holds: `$1` run, `$2` attempt, `$3` owner. */
export const FENCE = "id = $1 AND attempt = $2 AND owner = $3 AND status = 'active'";

/**
 * A step as the SDK reports it (call protocol, version 2): what it did, or what it asks the
 * executor for.
 */
export interface Operation {
  id: string;
  op: string;
  /** For people. */
  name: string;
  /** What the operation is about: the awaited event's name, a sleep's length. */
  target: string;
  opts: Record<string, unknown>;
  data: unknown;
  error: unknown;
}

/**
 * Reads the SDK's array of operations. Throws when it is none: then the SDK and this executor do
 * not fit together.
 */
function toOperations(body: unknown): Operation[] {
  const list = Array.isArray(body) ? body : [body];
  return list.map((entry: unknown) => {
    if (!isRecord(entry) || typeof entry.id !== "string" || typeof entry.op !== "string")
      throw new Error("The SDK answered with something that is no step");
    const name = [entry.displayName, entry.name].find((value) => typeof value === "string");
    const target = typeof entry.name === "string" ? entry.name : "";
    return {
      id: entry.id,
      op: entry.op,
      name: String(name ?? entry.id),
      target,
      opts: isRecord(entry.opts) ? entry.opts : {},
      data: entry.data,
      error: entry.error,
    };
  });
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Why a drive was cut, as the reason of its scope's signal: this process stops in good order, or
 * the run is another's. The run is not to blame for either, and goes on elsewhere: what the cut
 * work had used is the operator's loss, never the run's cost.
 */
export class DriveCut extends Error {
  override readonly name = "DriveCut";
  constructor(readonly why: "stopped" | "taken_over") {
    super(why === "stopped" ? "the process stops" : "the run is another driver's");
  }
}

/**
 * Why the drive behind a signal was cut; null where it was not: the run was cancelled, its time was
 * up, or nothing happened at all.
 */
export function driveCut(signal: AbortSignal): DriveCut["why"] | null {
  return signal.reason instanceof DriveCut ? signal.reason.why : null;
}

/**
 * What lives as long as one process drives one run: state of the run that need not be read again,
 * and what to let go of at the end.
 */
export interface DriveScope {
  readonly values: Map<string, unknown>;
  readonly onEnd: (() => Promise<void> | void)[];
  /**
   * Says that the work now waits for something outside, such as a model: until then it counts as
   * one of the few that begin at once.
   */
  readonly begun: () => void;
  /**
   * Waits for something outside, such as a model's or a tool's answer, without a place: what waits
   * for a socket needs no processor. Resolves, or rejects, when it has come and there is a place
   * again to go on.
   */
  readonly outside: <T>(wait: () => Promise<T>) => Promise<T>;
  /**
   * Aborted when the drive is cut, with a `DriveCut` as its reason: what works for it should stop.
   */
  readonly signal: AbortSignal;
}

/** A call into the SDK's handler that runs right now. */
interface Call {
  claim: Claim;
  scope: DriveScope;
  /** Steps whose result was stored by the transaction that made it true, by id. */
  folded: Set<string>;
  /** Called once that transaction has ended the run. */
  onEnded: () => void;
  /** Stores finished steps; false when this driver has lost the run and the function must halt. */
  checkpoint: (steps: Operation[]) => Promise<boolean>;
}

/** The calls of this process by their queue id, which the SDK hands back with each checkpoint. */
function calls(): Map<string, Call> {
  return processSingleton("engine.calls", () => new Map<string, Call>());
}

/** Leads from code inside a function back to its call. */
function callContext(): AsyncLocalStorage<Call> {
  return processSingleton("engine.callContext", () => new AsyncLocalStorage<Call>());
}

/**
 * What lives as long as this process drives the run that is being worked on; null outside of the
 * embedded executor.
 */
export function driveScope(): DriveScope | null {
  return callContext().getStore()?.scope ?? null;
}

/** Waits outside where this process drives a run; anywhere else it simply waits. */
export function waitOutside<T>(wait: () => Promise<T>): Promise<T> {
  return driveScope()?.outside(wait) ?? wait();
}

/**
 * What a transaction takes to store its step's result, or its run's end, with what makes it true
 * (`engine_store_result`).
 */
interface Fold {
  /** For `engine_store_result`. */
  argument: EngineResult;
  /** To be called when the transaction has committed: the executor does not store it once more. */
  done: () => void;
}

/**
 * The fold of the step that is being worked on, whose result will be `data`; null outside of the
 * embedded executor.
 */
export async function foldStep(data: unknown): Promise<Fold | null> {
  const call = callContext().getStore();
  const step = (await getAsyncCtx())?.execution?.executingStep;
  if (!call || !step?.hashedId) return null;
  const { hashedId: id, name } = step;
  return {
    argument: {
      ...fenceOf(call.claim),
      step_id: id,
      step_name: name ?? id,
      step_data: JSON.stringify(data ?? null),
    },
    done: () => call.folded.add(id),
  };
}

/**
 * The fold of the run's end, after which its function returns; null outside of the embedded
 * executor.
 */
export function foldEnd(): Fold | null {
  const call = callContext().getStore();
  if (!call) return null;
  const argument = { ...fenceOf(call.claim), step_id: null, step_name: null, step_data: null };
  return { argument, done: call.onEnded };
}

function fenceOf({ runId: run, attempt, owner }: Claim) {
  return { run, attempt, owner };
}

/** The header by which this process proves to its own handler that a call is its own. */
const HEADER = "x-lathe-engine";
const secret = (): string =>
  processSingleton("engine.call-secret", () => randomBytes(32).toString("base64url"));

/** What every call of the embedded executor carries. */
export function ownCallHeaders(): Record<string, string> {
  return { [HEADER]: secret() };
}

/**
 * `handler` for calls of this process alone. The embedded executor's client believes every call, and nothing leads to its handler from outside; should
 * something ever, the call is answered 404 for want of a secret that is made anew in each process.
 */
export function onlyOwnCalls(handler: (request: Request) => Promise<Response>): typeof handler {
  return async (request) => {
    const given = Buffer.from(request.headers.get(HEADER) ?? "");
    const wanted = Buffer.from(secret());
    const isOwn = given.length === wanted.length && timingSafeEqual(given, wanted);
    return isOwn ? handler(request) : new Response(null, { status: 404 });
  };
}

export interface CallRequest {
  claim: Claim;
  scope: DriveScope;
  /** The one step to run, or null: run on from what is known. */
  stepId: string | null;
  event: object;
  /** What earlier steps gave, under their ids, in the order in which they ended. */
  steps: Record<string, { type: "data"; data: unknown } | { type: "error"; error: unknown }>;
  attempt: number;
  maxAttempts: number;
  /** True: run nothing, only tell which steps come next. */
  planOnly: boolean;
  checkpoint: Call["checkpoint"];
  folded: Call["folded"];
  onEnded: Call["onEnded"];
}

export type CallOutcome =
  | { kind: "completed"; output: unknown }
  | { kind: "steps"; steps: Operation[] }
  | { kind: "failed"; error: unknown; retriable: boolean };

export type Handler = (request: Request) => Promise<Response>;

let lastCall = 0;

/**
 * Calls a function through the SDK's own handler, in process. Rejects only when the handler itself
 * breaks the protocol.
 */
export async function callFunction(handler: Handler, request: CallRequest): Promise<CallOutcome> {
  const { claim, scope, checkpoint, folded, onEnded } = request;
  const queueId = `${claim.runId}:${++lastCall}`;
  const call: Call = { claim, scope, checkpoint, folded, onEnded };
  calls().set(queueId, call);
  try {
    const response = await callContext().run(call, () => handler(toRequest(request, queueId)));
    return toOutcome(response, await response.json());
  } finally {
    calls().delete(queueId);
  }
}

function toRequest(request: CallRequest, queueId: string): Request {
  const order = Object.keys(request.steps);
  const body = {
    version: 2,
    event: request.event,
    events: [request.event],
    steps: request.steps,
    ctx: {
      run_id: request.claim.runId,
      // These two make the SDK run on in memory from step to step and report each one as it ends.
      fn_id: request.claim.functionId,
      qi_id: queueId,
      attempt: request.attempt,
      max_attempts: request.maxAttempts,
      disable_immediate_execution: request.planOnly,
      use_api: false,
      stack: { stack: order, current: order.length },
    },
  };
  const query = new URLSearchParams({
    fnId: request.claim.functionId,
    stepId: request.stepId ?? "step",
  });
  return new Request(`http://localhost/api/inngest?${query}`, {
    method: "POST",
    headers: {
      host: "localhost",
      "content-type": "application/json",
      "x-inngest-server-kind": "dev",
      ...ownCallHeaders(),
    },
    body: JSON.stringify(body),
  });
}

function toOutcome(response: Response, body: unknown): CallOutcome {
  if (response.headers.has("retry-after"))
    return {
      kind: "failed",
      error: { name: "Error", message: "The embedded executor does not support RetryAfterError" },
      retriable: false,
    };
  if (response.status === 200) return { kind: "completed", output: body };
  if (response.status === 206) {
    const steps = toOperations(body);
    const complete = steps.find(({ op }) => op === "RunComplete");
    return complete ? { kind: "completed", output: complete.data } : { kind: "steps", steps };
  }
  const error =
    isRecord(body) && !("message" in body)
      ? { name: "Error", message: String(body.error ?? "The function could not be called") }
      : body;
  return {
    kind: "failed",
    error,
    retriable: response.headers.get("x-inngest-no-retry") !== "true",
  };
}

/**
 * What the SDK's client gets for `fetch` when no Inngest server is there: its requests end in this
 * process. Checkpoints go to the driver of their run, all else is refused: events too, for they are
 * stored with what they tell of (lib/engine/client.ts). Nothing reaches the network.
 */
export const embeddedFetch: typeof fetch = async (input, init) => {
  const path = new URL(input instanceof Request ? input.url : input).pathname;
  const body: unknown = typeof init?.body === "string" ? JSON.parse(init.body) : undefined;
  if (/^\/v1\/checkpoint\/[^/]+\/async$/.test(path) && isRecord(body)) return checkpoint(body);
  const asked = path.startsWith("/e/") ? "the client's send, nor step.sendEvent" : path;
  return Response.json(
    { error: `The embedded executor does not support ${asked}` },
    { status: 501 },
  );
};

async function checkpoint(body: Record<string, unknown>): Promise<Response> {
  const call = calls().get(String(body.qi_id));
  const held = call ? await call.checkpoint(toOperations(body.steps)) : false;
  // 409 halts the function: another driver has it, or it was cancelled.
  return Response.json({}, { status: held ? 200 : 409 });
}

/**
 * How an Inngest client must be made for the embedded executor, beside `fetch: embeddedFetch`: no
 * signatures, each step reported as it ends, and no limit on how long the SDK runs on from step to
 * step in one call.
 */
export const EMBEDDED_CLIENT_OPTIONS = {
  isDev: true,
  aiMetadata: false,
  checkpointing: { bufferedSteps: 1, maxRuntime: 0 },
} as const;
