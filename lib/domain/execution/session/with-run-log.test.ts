import fc from "fast-check";
import { expect, test } from "vitest";
import { outputRedactor, TurnMessage } from "@/lib/domain/execution/session/with-run-log";
import type { RunLogWriter } from "@/lib/engine/events/run-log-writer";
import { createRedactor } from "@/lib/platform/crypto/redact";

function filtered(deltas: string[], secrets: string[] = []): string {
  const filter = outputRedactor(createRedactor(secrets));
  return deltas.map((delta) => filter.push(delta)).join("") + filter.end();
}

test("a character whose halves come in two pieces is whole, and no piece holds half of one", () => {
  const filter = outputRedactor(createRedactor([]));
  expect(["a\ud83d", "\ude00b"].map((delta) => filter.push(delta))).toEqual(["a", "😀b"]);
});

test("NUL characters and lone halves become U+FFFD, at the end too", () => {
  expect(filtered(["a\u0000b\ud800", "c\udc00", "\ud800\ud800"])).toBe(
    "a\ufffdb\ufffdc\ufffd\ufffd\ufffd",
  );
});

test("however a text is cut, it comes out the same, and a secret within it does not", () => {
  const unit = fc.constantFrom("s", "secret-1", "\u0000", "\ud83d", "\ude00", "x", "😀");
  fc.assert(
    fc.property(fc.array(unit), fc.nat(40), (units, cut) => {
      const text = units.join("");
      const whole = filtered([text], ["secret-1"]);
      expect(filtered([text.slice(0, cut), "", text.slice(cut)], ["secret-1"])).toBe(whole);
      expect([whole.isWellFormed(), /secret-1|\0/.test(whole)]).toEqual([true, false]);
    }),
  );
});

/** What a turn's message leaves in the log, its ids by the order in which they came. */
function logOf(
  speak: (message: TurnMessage) => void,
  {
    crashed = null,
    before = null,
  }: { crashed?: string | null; before?: { messageId: string; carried: string } | null } = {},
): object[] {
  const lines: object[] = [];
  // Nothing else is called.
  const log = { append: (line: object) => lines.push(line) } as unknown as RunLogWriter;
  speak(new TurnMessage(log, crashed, before, createRedactor(["secret-1"])));
  const ids = new Set<string>();
  const numbered = (id: string) => `#${[...ids.add(id)].indexOf(id)}`;
  const text = JSON.stringify(lines).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, numbered);
  return JSON.parse(text) as object[]; // what it was made of
}

const created = (id: string, replaces?: string) => ({
  type: "message.created",
  message_id: id,
  role: "assistant",
  ...(replaces !== undefined && { replaces }),
});
const delta = (id: string, text: string) => ({
  type: "output_text.delta",
  message_id: id,
  delta: text,
});
const card = (type: string, id: string, status: string) => ({
  type,
  card: { card_id: id, kind: "thinking", status, title: "Thinking", items: [] },
});

test("a message begins with its first text, thoughts in a closed card, no secret", () => {
  const lines = logOf((message) => {
    message.reasoning("I have secret-1");
    message.reasoning(" to think.");
    message.text("");
    message.text("It is secret-1");
    message.text(", done.");
    message.end();
  });
  const texts = (type: string) =>
    lines
      .flatMap((line) =>
        "delta" in line && "type" in line && line.type === type ? [line.delta] : [],
      )
      .join("");
  expect(texts("thinking.delta")).toBe("I have [redacted] to think.");
  expect(texts("output_text.delta")).toBe("It is [redacted], done.");
  expect(lines.filter((line) => !("delta" in line))).toEqual([
    card("card.created", "#0", "in_progress"),
    card("card.updated", "#0", "done"),
    created("#1"),
  ]);
});

test("a repeated attempt drops what it had shown, and else nothing", () => {
  const again = (first: string) =>
    logOf((message) => {
      message.text(first);
      message.restart();
      message.text("Better.");
      message.end();
    });
  expect(again("Half")).toEqual([
    created("#0"),
    delta("#0", "Half"),
    created("#1", "#0"),
    delta("#1", "Better."),
  ]);
  expect(again("")).toEqual([created("#0"), delta("#0", "Better.")]);
});

test("a turn without text leaves no message, but to declare a dropped one void", () => {
  expect(logOf((message) => message.end())).toEqual([]);
  expect(logOf((message) => message.end(), { crashed: "m9" })).toEqual([created("#0", "m9")]);
  expect(logOf((message) => message.end(), { before: { messageId: "m8", carried: "" } })).toEqual([
    created("#0", "m8"),
  ]);
  expect(
    logOf((message) => message.end(), { before: { messageId: "m8", carried: "One " } }),
  ).toEqual([]);
  expect(
    logOf((message) => message.end(), {
      crashed: "m9",
      before: { messageId: "m8", carried: "One " },
    }),
  ).toEqual([created("#0", "m9"), delta("#0", "One ")]);
  expect(
    logOf((message) => {
      message.text("Half");
      message.restart();
      message.end();
    }),
  ).toEqual([created("#0"), delta("#0", "Half"), created("#1", "#0")]);
});

test("a message that goes on from a cut one takes its place and begins with its text", () => {
  const speak = (message: TurnMessage) => {
    message.text("two.");
    message.end();
  };
  const whole = [created("#0", "m8"), delta("#0", "One "), delta("#0", "two.")];
  expect(logOf(speak, { before: { messageId: "m8", carried: "One " } })).toEqual(whole);
});
