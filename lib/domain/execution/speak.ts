import "server-only";
import { chargeTurn } from "@/lib/domain/execution/charge-turn";
import { findOpenMessage } from "@/lib/domain/execution/find-open-message";
import type { StoredTurn } from "@/lib/domain/execution/load-run";
import type { SpeakInput } from "@/lib/domain/execution/speak-input";
import { turnModels } from "@/lib/domain/execution/turn-models";
import type { RunStep } from "@/lib/domain/execution/with-run-log";
import { RunFailure } from "@/lib/model/run/run-failure";
import { newId } from "@/lib/platform/ids";
import { streamTurn, TurnAborted, type TurnResult } from "@/lib/runtime/models/stream-turn";
import type { TurnContent } from "@/lib/runtime/models/turn-prompt";

/** Streams one turn of the model into the log, then stores and charges it in one transaction. */
export async function speak(input: SpeakInput): Promise<StoredTurn> {
  const { run, limits, step } = input;
  const remaining = limits.deadline.getTime() - Date.now();
  const timeout = new RunFailure("TIMEOUT", "The run's time limit was reached before it came to an end.");
  if (remaining <= 0) throw timeout;
  const timer = AbortSignal.timeout(Math.min(remaining, 2 ** 31 - 1));
  const message = new TurnMessage(step, await findOpenMessage(run));
  const { models, settings } = turnModels(run);
  try {
    const result = await streamTurn({
      models,
      prompt: input.prompt,
      tools: input.tools,
      toolChoice: input.toolChoice,
      settings,
      deadline: limits.deadline,
      signal: AbortSignal.any([step.signal, timer]),
      onText: (delta) => message.text(delta),
      onReasoning: (delta) => message.reasoning(delta),
      onRetry: () => message.restart(),
    });
    message.end();
    return await chargeTurn(input, message.id, result, toContent(input, result));
  } catch (error) {
    if (error instanceof TurnAborted) {
      if (error.usage) await chargeTurn(input, message.id, { ...error.usage, finishReason: "aborted" }, null);
      if (timer.aborted && !step.signal.aborted) throw timeout;
    }
    throw error;
  }
}

/** What was said, each call under an id that the run has not used: some servers count from zero in every turn. */
function toContent({ run, turn }: SpeakInput, result: TurnResult): TurnContent {
  const content: TurnContent = [];
  if (result.text) content.push({ type: "text", text: result.text });
  const used = new Set(run.turns.flatMap((earlier) => earlier.content.map((part) => (part.type === "tool-call" ? part.toolCallId : ""))));
  for (const [index, call] of result.toolCalls.entries()) {
    const toolCallId = used.has(call.id) || call.id === "" ? `${call.id || "call"}_${turn}_${index}` : call.id;
    used.add(toolCallId);
    const vendor = call.providerOptions && { providerOptions: call.providerOptions };
    content.push({ type: "tool-call", toolCallId, toolName: call.name, input: call.input, ...vendor });
  }
  return content;
}

/** The message of a turn in the log: created by its first text, dropped and begun anew when the turn is tried again. */
class TurnMessage {
  id = newId();
  private shown = false;
  private card: string | null = null;

  constructor(
    private readonly step: RunStep,
    /** A message of an attempt that crashed, whose deltas to drop. */
    private replaces: string | null,
  ) {}

  text(delta: string): void {
    this.endCard();
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

  reasoning(delta: string): void {
    if (!this.card) {
      this.card = newId();
      this.step.log.append({ type: "card.created", card: thinkingCard(this.card, "in_progress") });
    }
    this.step.log.append({ type: "thinking.delta", card_id: this.card, delta });
  }

  restart(): void {
    this.endCard();
    if (!this.shown) return;
    this.replaces = this.id;
    this.id = newId();
    this.shown = false;
  }

  end(): void {
    this.endCard();
    // A dropped attempt followed by a turn without text leaves no message of its own: say that the old one is void.
    if (!this.replaces) return;
    this.step.log.append({ type: "message.created", message_id: this.id, role: "assistant", replaces: this.replaces });
    this.replaces = null;
  }

  private endCard(): void {
    if (!this.card) return;
    this.step.log.append({ type: "card.updated", card: thinkingCard(this.card, "done") });
    this.card = null;
  }
}

function thinkingCard(cardId: string, status: "in_progress" | "done") {
  return { card_id: cardId, kind: "thinking" as const, status, title: "Thinking", items: [] };
}
