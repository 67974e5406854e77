"use client";
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { LatheStreamError } from "@/lib/client/errors";
import type { RunStream as EventStream } from "@/lib/client/run-stream";
import type { Runs } from "@/lib/client/runs";
import type { Card, LoggedEvent, RealtimeRunRequest, SuperAgentRealtimeRunRequest } from "@/lib/client/schemas";
import { consoleApi } from "@/lib/console/api";
import type { Block } from "@/lib/console/transcript/block";
import { EMPTY_TRANSCRIPT, type Transcript } from "@/lib/console/transcript/transcript";

export type FollowState = "connecting" | "live" | "reconnecting" | "ended";

/** Runs of one kind: where they are started, followed and stopped. */
export interface RunSurface<Body> {
  runs: Pick<Runs<never, Body>, "stream" | "events" | "cancel">;
  /** The console's page of such a run; null where it has none. */
  page: ((runId: string) => string) | null;
}

export const AGENT_RUNS: RunSurface<RealtimeRunRequest> = { runs: consoleApi.runs, page: (runId) => `/runs/${runId}` };

/** The super-agent's runs live on routes of their own; the others answer as if there were none. */
export const SUPER_AGENT_RUNS: RunSurface<SuperAgentRealtimeRunRequest> = { runs: consoleApi.superAgentRuns, page: null };

export interface RunStream<Body = RealtimeRunRequest> {
  surface: RunSurface<Body>;
  transcript: Transcript;
  /** Null before anything was followed. */
  state: FollowState | null;
  /** The refusal that ended the following, not the run's own failure. */
  error: Error | null;
  /** Accepts a run on the realtime route and follows it. Throws nothing: look at `error`. */
  start: (body: Body) => void;
  follow: (runId: string) => void;
  reset: () => void;
}

type Open = (options: { signal: AbortSignal; onReconnect: () => void }) => EventStream;

/**
 * One run's transcript at a time, live. What was followed before is let go of; unmounting lets go too (the run itself goes on). A broken
 * connection is tried again at once when the network or the reader is back.
 */
export function useRunStream(): RunStream;
export function useRunStream<Body>(surface: RunSurface<Body>): RunStream<Body>;
export function useRunStream(surface: RunSurface<RealtimeRunRequest> = AGENT_RUNS): RunStream {
  const [store] = useState(() => new TranscriptStore());
  const [state, setState] = useState<FollowState | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const controller = useRef<AbortController | null>(null);
  const transcript = useSyncExternalStore(store.subscribe, store.snapshot, emptySnapshot);

  const reset = useCallback(() => {
    controller.current?.abort();
    controller.current = null;
    store.reset();
    setState(null);
    setError(null);
  }, [store]);

  const attach = useCallback(
    (open: Open) => {
      reset();
      const own = new AbortController();
      controller.current = own;
      const ifCurrent = (act: () => void) => controller.current === own && !own.signal.aborted && act();
      setState("connecting");
      const stream = open({ signal: own.signal, onReconnect: () => ifCurrent(() => setState("reconnecting")) });
      retryWhenBack(stream, own.signal);
      const read = async () => {
        for await (const event of stream)
          ifCurrent(() => {
            setState("live");
            store.push(event);
          });
      };
      read()
        // The log of a run that ended more than a day ago is gone: what was not read of it by then is in the run's result.
        .catch((failure: unknown) => failure instanceof LatheStreamError || ifCurrent(() => setError(toError(failure))))
        .finally(() => ifCurrent(() => setState("ended")));
    },
    [reset, store],
  );

  const start = useCallback((body: RealtimeRunRequest) => attach((options) => surface.runs.stream(body, options)), [attach, surface]);
  const follow = useCallback((runId: string) => attach((options) => surface.runs.events(runId, options)), [attach, surface]);
  useEffect(() => () => controller.current?.abort(), []);
  return { surface, transcript, state, error, start, follow, reset };
}

function toError(failure: unknown): Error {
  return failure instanceof Error ? failure : new Error("The stream could not be read.");
}

/** Until `signal` aborts: when the browser is online again, or its page in view again, a wait for the next try ends. */
function retryWhenBack(stream: EventStream, signal: AbortSignal): void {
  window.addEventListener("online", () => stream.retryNow(), { signal });
  document.addEventListener("visibilitychange", () => document.hidden || stream.retryNow(), { signal });
}

function emptySnapshot(): Transcript {
  return EMPTY_TRANSCRIPT;
}

/** Calls back once, soon; an animation frame in the browser. */
type Schedule = (callback: () => void) => void;

/** A hidden page gets no frames at all, and its events must not pile up unread. */
const nextFrame: Schedule = (callback) => {
  if (typeof document === "undefined" || document.hidden) setTimeout(callback, 250);
  else requestAnimationFrame(callback);
};

/** Gathers events and folds them in once a frame, so that a fast model costs one drawing a frame and not one a token. */
export class TranscriptStore {
  #transcript = EMPTY_TRANSCRIPT;
  #waiting: LoggedEvent[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #schedule: Schedule;

  constructor(schedule: Schedule = nextFrame) {
    this.#schedule = schedule;
  }

  readonly push = (event: LoggedEvent): void => {
    this.#waiting.push(event);
    if (this.#waiting.length === 1) this.#schedule(this.#flush);
  };

  /** Back to nothing, for another run. */
  readonly reset = (): void => {
    this.#waiting = [];
    this.#set(EMPTY_TRANSCRIPT);
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): Transcript => this.#transcript;

  readonly #flush = (): void => {
    const events = this.#waiting;
    this.#waiting = [];
    this.#set(applyEvents(this.#transcript, events));
  };

  #set(transcript: Transcript): void {
    if (transcript === this.#transcript) return;
    this.#transcript = transcript;
    for (const listener of this.#listeners) listener();
  }
}

/** The transcript after a batch of events. Blocks that none of them touches stay the very same objects. */
export function applyEvents(transcript: Transcript, events: readonly LoggedEvent[]): Transcript {
  if (events.length === 0) return transcript;
  const blocks = [...transcript.blocks];
  let next: Transcript = { ...transcript, blocks };
  for (const event of events) {
    applyBlockEvent(blocks, event);
    next = applyLoggedEvent(next, blocks, event);
    next.lastSequence = event.sequence_number;
  }
  return next;
}

function applyLoggedEvent(transcript: Transcript, blocks: Block[], event: LoggedEvent): Transcript {
  switch (event.type) {
    case "run.created":
      return {
        ...transcript,
        runId: event.run_id,
        agentId: event.agent_id,
        conversationId: event.conversation_id,
        status: "running",
        startedAt: event.created_at,
      };
    case "usage.updated":
      return { ...transcript, usage: event.usage };
    case "run.completed":
      closeAll(blocks, event.created_at);
      return {
        ...transcript,
        status: "completed",
        result: event.result,
        usage: event.usage,
        agentId: event.agent_id ?? event.result.agent_id ?? transcript.agentId,
        endedAt: event.created_at,
      };
    case "run.failed":
      closeAll(blocks, event.created_at);
      return { ...transcript, status: "failed", error: event.error, usage: event.usage ?? transcript.usage, endedAt: event.created_at };
    default:
      return transcript;
  }
}

/** Nothing may go on blinking after the end, whatever the log left open. */
function closeAll(blocks: Block[], at: string): void {
  for (const [index, block] of blocks.entries()) {
    if (block.kind === "tool" && block.status === "running") blocks[index] = { ...block, status: "stopped", endedAt: at };
    if ("done" in block && !block.done) blocks[index] = { ...block, done: true };
    if (block.kind === "approval" && block.decision === null) blocks[index] = { ...block, decision: "expired" };
  }
}

/** Changes the list (never a block in it) by one event. An event of an unknown type changes nothing. */
function applyBlockEvent(blocks: Block[], event: LoggedEvent): void {
  switch (event.type) {
    case "message.created":
      if (event.replaces) drop(blocks, "message", event.replaces);
      finishMessages(blocks);
      blocks.push({ kind: "message", id: event.message_id, text: "", done: false });
      break;
    case "output_text.delta":
      appendText(blocks, "message", event.message_id, event.delta);
      break;
    case "thinking.delta":
      appendText(blocks, "thinking", event.card_id, event.delta);
      break;
    case "card.created":
    case "card.updated":
      putCard(blocks, event.card);
      break;
    case "tool.started":
      finishMessages(blocks);
      put(blocks, {
        kind: "tool",
        id: event.tool_call_id,
        name: event.name,
        status: "running",
        startedAt: event.created_at,
        endedAt: null,
      });
      break;
    case "tool.completed": {
      const begun = find(blocks, "tool", event.tool_call_id)?.block;
      const startedAt = begun?.startedAt ?? event.created_at;
      put(blocks, {
        kind: "tool",
        id: event.tool_call_id,
        name: event.name,
        status: event.status,
        startedAt,
        endedAt: event.created_at,
      });
      break;
    }
    case "artifact.created":
      put(blocks, { kind: "artifact", id: event.artifact.id, artifact: event.artifact });
      break;
    case "approval.requested":
    case "approval.resolved": {
      const decision = event.type === "approval.resolved" ? event.decision : null;
      const asked = find(blocks, "approval", event.approval_id)?.block;
      const summary = event.summary || asked?.summary || "";
      const reason = (event.type === "approval.requested" && event.reason) || asked?.reason || null;
      put(blocks, { kind: "approval", id: event.approval_id, toolName: event.tool_name, summary, reason, decision });
      break;
    }
  }
}

type BlockOf<Kind extends Block["kind"]> = Extract<Block, { kind: Kind }>;

/** From the end: what an event is about is nearly always among the last blocks. */
function find<Kind extends Block["kind"]>(blocks: Block[], kind: Kind, id: string): { index: number; block: BlockOf<Kind> } | null {
  for (let index = blocks.length - 1; index >= 0; index -= 1) {
    const block = blocks[index];
    if (block?.kind === kind && block.id === id) return { index, block: block as BlockOf<Kind> }; // the kind was just compared
  }
  return null;
}

function put(blocks: Block[], block: Block): void {
  const found = find(blocks, block.kind, block.id);
  if (found) blocks[found.index] = block;
  else blocks.push(block);
}

function drop(blocks: Block[], kind: Block["kind"], id: string): void {
  const found = find(blocks, kind, id);
  if (found) blocks.splice(found.index, 1);
}

function appendText(blocks: Block[], kind: "message" | "thinking", id: string, delta: string): void {
  const found = find(blocks, kind, id);
  if (found) blocks[found.index] = { ...found.block, text: found.block.text + delta };
  else if (kind === "message") blocks.push({ kind, id, text: delta, done: false });
  else blocks.push({ kind, id, title: "Thinking", text: delta, done: false });
}

function finishMessages(blocks: Block[]): void {
  for (let index = blocks.length - 1; index >= 0; index -= 1) {
    const block = blocks[index];
    if (block?.kind !== "message") continue;
    if (block.done) return;
    blocks[index] = { ...block, done: true };
  }
}

function putCard(blocks: Block[], card: Card): void {
  const { card_id: id, title } = card;
  const done = card.status === "done";
  if (card.kind === "thinking") {
    const text = find(blocks, "thinking", id)?.block.text ?? "";
    put(blocks, { kind: "thinking", id, title: title || "Thinking", text, done });
  } else if (card.kind === "todo") put(blocks, { kind: "todo", id, title, items: card.items.filter((item) => "text" in item), done });
  else put(blocks, { kind: "search", id, title, items: card.items.filter((item) => "url" in item), done });
}
