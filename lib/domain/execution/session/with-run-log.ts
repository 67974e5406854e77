import "server-only";
import type { KnownRun, LoadedRun } from "@/lib/domain/execution/run/loaded-run";
import type { RunStep } from "@/lib/domain/execution/session/run-step";
import { CANCELLED_ERROR, closeEndedRun, settleRun } from "@/lib/domain/runs/settle-run";
import { driveScope } from "@/lib/engine/drive";
import { LogTakenOver } from "@/lib/engine/events/event-rows";
import { onCancel, openRunLog, type RunLogWriter } from "@/lib/engine/events/run-log-writer";
import { RunFailure } from "@/lib/model/run/run-failure";
import type { RedactionScan, Redactor } from "@/lib/platform/crypto/redact";
import { newId } from "@/lib/platform/ids";
import { log } from "@/lib/platform/log";
import { postgres } from "@/lib/platform/postgres";

/**
 * A run as the process that drives it keeps it, from step to step: the log that it writes, and what
 * nobody else can change.
 */
export interface RunSession {
  readonly runId: string;
  writer: RunLogWriter | null;
  known: KnownRun | null;
  readonly signal: AbortSignal;
}

/** The run has ended, by somebody else's doing, before this step came to its end. */
export class RunHasEnded extends Error {
  override readonly name = "RunHasEnded";
}

/**
 * Runs one step of a run whose log it may write. A `RunFailure` ends the run as failed; a cancel
 * ends the step; both give `ended`.
 * Whatever else is thrown reaches the engine, which repeats the step: that the run is another's
 * too, for whoever owns it decides.
 */
export async function withRunSession<T>(
  runId: string,
  ended: T,
  work: (session: RunSession) => Promise<T>,
): Promise<T> {
  const scope = driveScope();
  const kept = scope?.values.get(SESSION) as Kept | undefined; // only ever set here
  const abort = new AbortController();
  const own: Kept = kept ?? { writer: null, known: null };
  // A log that an earlier step has opened may be lost in this one.
  const signals = [
    abort.signal,
    ...(scope ? [scope.signal] : []),
    ...(own.writer ? [own.writer.signal] : []),
  ];
  const session: RunSession = {
    runId,
    signal: AbortSignal.any(signals),
    get writer() {
      return own.writer?.isOver ? null : own.writer;
    },
    set writer(writer) {
      own.writer = writer;
      // Whatever works for this writer stops when it has lost the log.
      writer?.signal.addEventListener("abort", () => abort.abort(writer.signal.reason), {
        once: true,
      });
    },
    get known() {
      return own.known;
    },
    set known(known) {
      own.known = known;
    },
  };
  const unsubscribe = onCancel(runId, () => abort.abort(CANCELLED_ERROR));
  if (scope && !kept) {
    scope.values.set(SESSION, own);
    scope.onEnd.push(() => letGo(own, runId));
  }
  try {
    const outcome = await work(session);
    await session.writer?.flush();
    return abort.signal.reason === CANCELLED_ERROR ? await leave(session, ended) : outcome;
  } catch (error) {
    if (
      abort.signal.reason === CANCELLED_ERROR ||
      error instanceof RunHasEnded ||
      (await isEnded(runId))
    )
      return leave(session, ended);
    // What a process makes of a run that is another's by now is none of the run's business.
    if (!(error instanceof RunFailure) || session.signal.aborted) throw error;
    const writer = session.writer ?? (await openRunLog(runId));
    session.writer = writer;
    if (!writer) return leave(session, ended);
    await writer.flush();
    await settleRun(
      runId,
      { status: "failed", error: { code: error.code, message: error.message } },
      writer,
    );
    return ended;
  } finally {
    unsubscribe();
    if (!scope) await letGo(own, runId);
  }
}

/** Runs one step of a run that is at work, as the only writer of its log. */
export async function withRunLog<T>(
  runId: string,
  ended: T,
  work: (step: RunStep, session: RunSession) => Promise<T>,
): Promise<T> {
  return withRunSession(runId, ended, async (session) => {
    session.writer ??= await openRunLog(runId);
    if (!session.writer) throw new RunHasEnded();
    return work({ runId, log: session.writer, signal: session.signal }, session);
  });
}

/** @throws RunHasEnded unless the run is at work or waits for its first step */
export function requireAtWork(run: LoadedRun): void {
  if (run.status !== "running" && run.status !== "pending") throw new RunHasEnded();
}

interface Kept {
  writer: RunLogWriter | null;
  known: KnownRun | null;
}

const SESSION = "run-session";

async function letGo({ writer }: Kept, runId: string): Promise<void> {
  if (!writer || writer.isOver) return;
  try {
    await writer.close();
    // A cancel that came between two steps has left the last line to whoever held the log.
    await closeEndedRun(runId, null);
  } catch (error) {
    log.warn(
      { err: error, run_id: runId },
      "a run's log was not let go; the end of this process will do it",
    );
  }
}

/** The run was ended by somebody else: whoever holds the log writes the last line. */
async function leave<T>(session: RunSession, ended: T): Promise<T> {
  const { runId } = session;
  await session.writer?.flush().catch((error: unknown) => {
    if (!(error instanceof LogTakenOver))
      log.warn({ err: error, run_id: runId }, "a cancelled run's last events were not stored");
  });
  await closeEndedRun(runId, session.writer);
  return ended;
}

async function isEnded(runId: string): Promise<boolean> {
  const { rowCount } = await postgres().query({
    name: "is-ended",
    text: "SELECT 1 FROM runs WHERE id = $1 AND completed_at IS NOT NULL",
    values: [runId],
  });
  return rowCount !== 0;
}

/**
 * The message of a turn in the log: created by its first text, dropped and begun anew when the turn
 * is tried again.
 */
export class TurnMessage {
  readonly #log: RunLogWriter;
  readonly #before: { messageId: string; carried: string } | null;
  readonly #output: Redactor;
  id = newId();
  #shown = false;
  #card: { id: string; thought: RedactionScan } | null = null;
  #spoken: RedactionScan;

  #replaces: string | null;
  readonly #carried: string;

  /**
   * @param crashed the message of an attempt that crashed, whose deltas to drop
   * @param before the message that this one takes the place of once it speaks, and what of its text
   * it begins with
   */
  constructor(
    log: RunLogWriter,
    crashed: string | null,
    before: { messageId: string; carried: string } | null,
    output: Redactor,
  ) {
    this.#log = log;
    this.#before = before;
    this.#output = output;
    this.#replaces = crashed ?? before?.messageId ?? null;
    this.#carried = before?.carried ?? "";
    this.#spoken = outputRedactor(output);
  }

  text(delta: string): void {
    this.#endCard();
    this.#show(this.#spoken.push(delta));
  }

  reasoning(delta: string): void {
    if (!this.#card) {
      this.#card = { id: newId(), thought: outputRedactor(this.#output) };
      this.#log.append({ type: "card.created", card: thinkingCard(this.#card.id, "in_progress") });
    }
    this.#think(this.#card.id, this.#card.thought.push(delta));
  }

  restart(): void {
    this.#endCard();
    this.#spoken = outputRedactor(this.#output);
    if (!this.#shown) return;
    this.#replaces = this.id;
    this.id = newId();
    this.#shown = false;
  }

  end(): void {
    this.#endCard();
    this.#show(this.#spoken.end());
    // A dropped attempt followed by a turn without text leaves no message of its own: say that the
    // old one is void.
    if (!this.#replaces || (this.#replaces === this.#before?.messageId && this.#carried !== ""))
      return;
    this.#begin();
  }

  #show(delta: string): void {
    if (delta === "") return;
    if (!this.#shown) this.#begin();
    this.#log.append({ type: "output_text.delta", message_id: this.id, delta });
  }

  #begin(): void {
    const replaces = this.#replaces && { replaces: this.#replaces };
    this.#log.append({
      type: "message.created",
      message_id: this.id,
      role: "assistant",
      ...replaces,
    });
    if (this.#carried !== "")
      this.#log.append({ type: "output_text.delta", message_id: this.id, delta: this.#carried });
    this.#shown = true;
    this.#replaces = null;
  }

  #think(cardId: string, delta: string): void {
    if (delta !== "") this.#log.append({ type: "thinking.delta", card_id: cardId, delta });
  }

  #endCard(): void {
    if (!this.#card) return;
    this.#think(this.#card.id, this.#card.thought.end());
    this.#log.append({ type: "card.updated", card: thinkingCard(this.#card.id, "done") });
    this.#card = null;
  }
}

function thinkingCard(cardId: string, status: "in_progress" | "done") {
  return { card_id: cardId, kind: "thinking" as const, status, title: "Thinking", items: [] };
}

/**
 * What a model's words pass, however they are cut, before they are shown and kept: NUL characters
 * and lone surrogates, which no database takes, become U+FFFD; a character whose halves come one by
 * one is put together; secrets become `[redacted]`.
 */
export function outputRedactor(redactor: Redactor): RedactionScan {
  const scan = redactor.scan();
  let half = "";
  return {
    push: (delta) => {
      const text = half + delta;
      half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? "";
      return scan.push(storable(text.slice(0, text.length - half.length)));
    },
    end: () => scan.push(storable(half)) + scan.end(),
  };
}

function storable(text: string): string {
  return text.toWellFormed().replaceAll("\u0000", "\ufffd");
}
