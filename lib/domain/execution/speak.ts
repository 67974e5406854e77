import "server-only";
import { callCover } from "@/lib/domain/execution/call-cover";
import { chargeTurn } from "@/lib/domain/execution/charge-turn";
import { findOpenMessage } from "@/lib/domain/execution/find-open-message";
import type { StoredTurn } from "@/lib/domain/execution/load-run";
import { secretRedactor } from "@/lib/domain/execution/secret-redactor";
import type { SpeakInput } from "@/lib/domain/execution/speak-input";
import { speechFilter } from "@/lib/domain/execution/speech-filter";
import { toStorableJson } from "@/lib/domain/execution/to-storable-json";
import { turnModels } from "@/lib/domain/execution/turn-models";
import type { RunStep } from "@/lib/domain/execution/with-run-log";
import { RunFailure } from "@/lib/model/run/run-failure";
import type { RedactionScan, Redactor } from "@/lib/platform/crypto/redact";
import { newId } from "@/lib/platform/ids";
import { streamTurn, TurnAborted, type TurnResult } from "@/lib/runtime/models/stream-turn";
import type { TurnContent } from "@/lib/runtime/models/turn-prompt";

/**
 * Streams one turn of the model into the log, then stores and charges it in one transaction. A secret of the account that the model
 * says, whoever told it, is shown and kept as `[redacted]`.
 */
export async function speak(input: SpeakInput): Promise<StoredTurn> {
  const { run, limits, step } = input;
  const remaining = limits.deadline.getTime() - Date.now();
  const timeout = new RunFailure("TIMEOUT", "The run's time limit was reached before it came to an end.");
  if (remaining <= 0) throw timeout;
  const timer = AbortSignal.timeout(Math.min(remaining, 2 ** 31 - 1));
  const [open, { speech }] = await Promise.all([findOpenMessage(run), secretRedactor(run.accountId)]);
  const message = new TurnMessage(step, open, speech);
  const { models, settings, maxOutputTokens } = turnModels(run);
  const { cover, keepMicros } = callCover(input, maxOutputTokens);
  try {
    const result = await streamTurn({
      models,
      prompt: input.prompt,
      tools: input.tools,
      toolChoice: input.toolChoice,
      settings,
      cover,
      deadline: limits.deadline,
      signal: AbortSignal.any([step.signal, timer]),
      onText: (delta) => message.text(delta),
      onReasoning: (delta) => message.reasoning(delta),
      onRetry: () => message.restart(),
    });
    message.end();
    return await chargeTurn(input, message.id, { ...result, keepMicros: keepMicros(result.model) }, toContent(input, result, speech));
  } catch (error) {
    if (error instanceof TurnAborted) {
      if (error.usage) await chargeTurn(input, message.id, { ...error.usage, finishReason: "aborted", keepMicros: 0n }, null);
      if (timer.aborted && !step.signal.aborted) throw timeout;
    }
    throw error;
  }
}

/** What was said, each call under an id that the run has not used: some servers count from zero in every turn. */
function toContent({ run, turn }: SpeakInput, result: TurnResult, speech: Redactor): TurnContent {
  const content: TurnContent = [];
  const filter = speechFilter(speech);
  const text = filter.push(result.text) + filter.end();
  if (text) content.push({ type: "text", text });
  const used = new Set(run.turns.flatMap((earlier) => earlier.content.map((part) => (part.type === "tool-call" ? part.toolCallId : ""))));
  for (const [index, call] of result.toolCalls.entries()) {
    const toolCallId = used.has(call.id) || call.id === "" ? `${call.id || "call"}_${turn}_${index}` : call.id;
    used.add(toolCallId);
    const vendor = call.providerOptions && { providerOptions: call.providerOptions };
    content.push({ type: "tool-call", toolCallId, toolName: call.name, input: call.input, ...vendor });
  }
  return JSON.parse(toStorableJson(content)) as TurnContent; // the same, with NUL characters and lone surrogates replaced
}

/** The message of a turn in the log: created by its first text, dropped and begun anew when the turn is tried again. */
class TurnMessage {
  id = newId();
  private shown = false;
  private card: { id: string; thought: RedactionScan } | null = null;
  private spoken: RedactionScan;

  constructor(
    private readonly step: RunStep,
    /** A message of an attempt that crashed, whose deltas to drop. */
    private replaces: string | null,
    private readonly speech: Redactor,
  ) {
    this.spoken = speechFilter(speech);
  }

  text(delta: string): void {
    this.endCard();
    this.show(this.spoken.push(delta));
  }

  reasoning(delta: string): void {
    if (!this.card) {
      this.card = { id: newId(), thought: speechFilter(this.speech) };
      this.step.log.append({ type: "card.created", card: thinkingCard(this.card.id, "in_progress") });
    }
    this.think(this.card.id, this.card.thought.push(delta));
  }

  restart(): void {
    this.endCard();
    this.spoken = speechFilter(this.speech);
    if (!this.shown) return;
    this.replaces = this.id;
    this.id = newId();
    this.shown = false;
  }

  end(): void {
    this.endCard();
    this.show(this.spoken.end());
    // A dropped attempt followed by a turn without text leaves no message of its own: say that the old one is void.
    if (!this.replaces) return;
    this.step.log.append({ type: "message.created", message_id: this.id, role: "assistant", replaces: this.replaces });
    this.replaces = null;
  }

  private show(delta: string): void {
    if (delta === "") return;
    if (!this.shown) {
      this.step.log.append({
        type: "message.created",
        message_id: this.id,
        role: "assistant",
        ...(this.replaces && { replaces: this.replaces }),
      });
      this.shown = true;
      this.replaces = null;
    }
    this.step.log.append({ type: "output_text.delta", message_id: this.id, delta });
  }

  private think(cardId: string, delta: string): void {
    if (delta !== "") this.step.log.append({ type: "thinking.delta", card_id: cardId, delta });
  }

  private endCard(): void {
    if (!this.card) return;
    this.think(this.card.id, this.card.thought.end());
    this.step.log.append({ type: "card.updated", card: thinkingCard(this.card.id, "done") });
    this.card = null;
  }
}

function thinkingCard(cardId: string, status: "in_progress" | "done") {
  return { card_id: cardId, kind: "thinking" as const, status, title: "Thinking", items: [] };
}
