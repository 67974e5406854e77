import "server-only";
import { trimEnd } from "@/lib/model/text/trim";
import type { AnswerForm } from "@/lib/runtime/models/answer/answer-form";

/** The most that is told of what a model did not find. */
const MISSING_MAX = 20;
const MISSING_MAX_CHARACTERS = 200;

/** What of a form its reader goes by. */
export type ReadForm = Pick<AnswerForm, "keys" | "takesNull">;

/** What a structured answer came to. */
export interface ReadAnswer {
  /** What of its text has not been shown yet. */
  rest: string;
  /** What the model named as not found in place of an answer; null: it gave one, or nothing. */
  missing: string[] | null;
}

/**
 * Takes a model's answer out of its envelope as it comes: what is pushed is the text of a message,
 * or the arguments of the tool that answers; what comes out is the JSON text of the value alone.
 * Text that is no envelope passes as it is. Linear in what is pushed.
 */
export class AnswerReader {
  readonly #form: ReadForm;
  #mode: "undecided" | "plain" | "envelope" = "undecided";
  /** Held back until it is known whether this is an envelope. */
  #held = "";
  #at: "key" | "in-key" | "colon" | "value" | "in-value" | "after" | "over" = "key";
  #key = "";
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** Of the value at hand, where it is not shown as it comes. */
  #kept = "";
  #answer: "absent" | "null" | "given" = "absent";
  #missing = "";

  constructor(form: ReadForm) {
    this.#form = form;
  }

  /** One that has read nothing yet. */
  fresh(): AnswerReader {
    return new AnswerReader(this.#form);
  }

  /** @returns what may be shown of it */
  push(delta: string): string {
    if (this.#mode === "plain") return delta;
    if (this.#mode === "envelope") return this.#scan(delta);
    this.#held += delta;
    const start = readStart(this.#held);
    if (start === undefined && this.#held.length <= START_MAX_CHARACTERS) return "";
    const held = this.#held;
    this.#held = "";
    const isEnvelope = start === this.#form.keys.answer || start === this.#form.keys.missing;
    this.#mode = isEnvelope ? "envelope" : "plain";
    return isEnvelope ? this.#scan(held.slice(held.indexOf("{") + 1)) : held;
  }

  /** Nothing more comes. */
  end(): ReadAnswer {
    if (this.#mode !== "envelope") {
      const rest = this.#held;
      this.#held = "";
      return { rest, missing: null };
    }
    if (this.#answer === "given") return { rest: "", missing: null };
    if (this.#answer === "null" && this.#form.takesNull) return { rest: "null", missing: null };
    const missing = readMissing(this.#missing);
    if (missing.length > 0) return { rest: `Not found: ${missing.join("; ")}.`, missing };
    return { rest: this.#answer === "null" ? "null" : "", missing: null };
  }

  #scan(text: string): string {
    let shown = "";
    for (const character of text) shown += this.#take(character);
    return shown;
  }

  #take(character: string): string {
    switch (this.#at) {
      case "key":
        if (character === '"') [this.#at, this.#key] = ["in-key", ""];
        else if (character === "}") this.#at = "over";
        return "";
      case "in-key":
        if (character === '"') this.#at = "colon";
        else this.#key += character;
        return "";
      case "colon":
        if (character === ":") this.#at = "value";
        return "";
      case "value":
        if (isSpace(character)) return "";
        [this.#at, this.#kept, this.#depth] = ["in-value", "", 0];
        return this.#takeOfValue(character);
      case "in-value":
        return this.#takeOfValue(character);
      case "after":
        if (character === ",") this.#at = "key";
        else if (character === "}") this.#at = "over";
        return "";
      case "over":
        return "";
    }
  }

  #takeOfValue(character: string): string {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (character === "\\") this.#isEscaped = true;
      else if (character === '"') this.#isInString = false;
      const shown = this.#add(character);
      return this.#isInString || this.#depth > 0 ? shown : shown + this.#endValue("after");
    }
    if (this.#depth === 0 && (character === "," || character === "}"))
      return this.#endValue(character === "," ? "key" : "over");
    if (character === '"') this.#isInString = true;
    if (character === "{" || character === "[") this.#depth += 1;
    if (character !== "}" && character !== "]") return this.#add(character);
    this.#depth -= 1;
    const shown = this.#add(character);
    return this.#depth > 0 ? shown : shown + this.#endValue("after");
  }

  /** A null may stand for an answer that there is none, so it waits for its end. */
  #add(character: string): string {
    const isAnswer = this.#key === this.#form.keys.answer;
    if (isAnswer && this.#kept === "" && character !== "n") this.#answer = "given";
    if (isAnswer && this.#answer === "given") return character;
    if (this.#key === this.#form.keys.missing || isAnswer) this.#kept += character;
    return "";
  }

  #endValue(next: "after" | "key" | "over"): string {
    this.#at = next;
    if (this.#key === this.#form.keys.missing) this.#missing = this.#kept;
    if (this.#key !== this.#form.keys.answer || this.#answer === "given") return "";
    const value = this.#kept.trim();
    this.#answer = value === "null" ? "null" : "given";
    return this.#answer === "null" ? "" : value;
  }
}

/** A start that is longer is none of an envelope. */
const START_MAX_CHARACTERS = 256;

/**
 * The first key of the object that a text begins with, perhaps in a code fence; null where it
 * begins with none, undefined while that is not known.
 */
function readStart(text: string): string | null | undefined {
  const body = text.trimStart();
  const bare = body.startsWith("```") ? body.slice(3).replace(/^json/, "").trimStart() : body;
  const isFencing = "```json".startsWith(body);
  if (isFencing || bare === "") return undefined;
  if (!bare.startsWith("{")) return null;
  const inside = bare.slice(1).trimStart();
  if (inside === "") return undefined;
  if (!inside.startsWith('"')) return null;
  const end = inside.indexOf('"', 1);
  return end < 0 ? undefined : inside.slice(1, end);
}

function isSpace(character: string): boolean {
  return character === " " || character === "\n" || character === "\r" || character === "\t";
}

/** Names that a model gave, as a list or as one text. */
function readMissing(json: string): string[] {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return [];
  }
  const names = Array.isArray(value) ? value : [value];
  return names
    .flatMap((name) => (typeof name === "string" ? [name.replace(/\s+/g, " ").trim()] : []))
    .filter((name) => name !== "")
    .slice(0, MISSING_MAX)
    .map((name) => trimEnd(name.slice(0, MISSING_MAX_CHARACTERS), ".;").toWellFormed());
}
