import "server-only";
import type { RunLogWriter } from "@/lib/engine/events/run-log-writer";
import type { RedactionScan, Redactor } from "@/lib/platform/crypto/redact";
import { newId } from "@/lib/platform/ids";

/** The message of a turn in the log: created by its first text, dropped and begun anew when the turn is tried again. */
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
   * @param before the message that this one takes the place of once it speaks, and what of its text it begins with
   */
  constructor(log: RunLogWriter, crashed: string | null, before: { messageId: string; carried: string } | null, output: Redactor) {
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
    // A dropped attempt followed by a turn without text leaves no message of its own: say that the old one is void.
    if (!this.#replaces || (this.#replaces === this.#before?.messageId && this.#carried !== "")) return;
    this.#begin();
  }

  #show(delta: string): void {
    if (delta === "") return;
    if (!this.#shown) this.#begin();
    this.#log.append({ type: "output_text.delta", message_id: this.id, delta });
  }

  #begin(): void {
    const replaces = this.#replaces && { replaces: this.#replaces };
    this.#log.append({ type: "message.created", message_id: this.id, role: "assistant", ...replaces });
    if (this.#carried !== "") this.#log.append({ type: "output_text.delta", message_id: this.id, delta: this.#carried });
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
 * What a model's words pass, however they are cut, before they are shown and kept: NUL characters and lone surrogates, which no
 * database takes, become U+FFFD; a character whose halves come one by one is put together; secrets become `[redacted]`.
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
