import "server-only";

/** Where a text stops being JSON, and what should stand there. It repeats nothing of the text, in which there may be a secret. */
export interface JsonFault {
  line: number;
  column: number;
  expected: string;
}

type Place = "value" | "value or ]" | "name" | "name or }" | "colon" | "after" | "end";

const EXPECTED: Record<Place, string> = {
  value: "a value: a text in double quotes, a number, true, false, null, an object or a list",
  "value or ]": "a value (a text in double quotes, a number, true, false, null, an object or a list) or a closing bracket",
  name: "a property's name in double quotes",
  "name or }": "a property's name in double quotes, or a closing brace",
  colon: "a colon behind the property's name",
  after: "a comma or a closing bracket",
  end: "nothing more behind the value",
};
const SPACE = /[ \t\n\r]*/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const STRING_PART = /(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})){1,1000}/uy;

/** The first fault of a text that `JSON.parse` refuses; null when it is JSON. */
export function findJsonFault(text: string): JsonFault | null {
  const fault = new JsonScan(text).run();
  if (fault === null) return null;
  const before = text.slice(0, fault.offset);
  return { line: before.split("\n").length, column: before.length - before.lastIndexOf("\n"), expected: fault.expected };
}

class JsonScan {
  #at = 0;
  #place: Place = "value";
  /** The brackets that are open. */
  #open: string[] = [];

  constructor(private readonly text: string) {}

  run(): { offset: number; expected: string } | null {
    for (;;) {
      this.#take(SPACE);
      if (this.#at >= this.text.length && this.#place === "end") return null;
      const expected = this.#step(this.text.charAt(this.#at));
      if (expected !== null) return { offset: this.#at, expected };
    }
  }

  /** Takes one token; says what should have stood there when it cannot. */
  #step(character: string): string | null {
    const place = this.#place;
    if (character === "" && this.#open.length > 0) return `more: ${this.#open.at(-1)} is never closed`;
    switch (place) {
      case "colon":
        return character === ":" ? this.#go(1, "value") : EXPECTED.colon;
      case "after":
        return character === "," ? this.#go(1, this.#open.at(-1) === "{" ? "name" : "value") : this.#close(character);
      case "end":
        return EXPECTED.end;
      case "name":
      case "name or }":
        if (character === '"') return this.#string("colon");
        return character === "}" && place === "name or }" ? this.#close(character) : this.#expected(character);
      default:
        return character === "]" && place === "value or ]" ? this.#close(character) : this.#value(character);
    }
  }

  #value(character: string): string | null {
    if (character === '"') return this.#string(this.#afterValue());
    if (character === "{" || character === "[") {
      this.#open.push(character);
      return this.#go(1, character === "{" ? "name or }" : "value or ]");
    }
    return this.#take(SCALAR) ? this.#go(0, this.#afterValue()) : this.#expected(character);
  }

  #expected(character: string): string {
    const isTrailingComma = (character === "}" || character === "]") && (this.#place === "name" || this.#place === "value");
    return `${EXPECTED[this.#place]}${isTrailingComma ? "; a comma before a closing bracket is not allowed" : ""}`;
  }

  #close(character: string): string | null {
    if (character !== (this.#open.at(-1) === "{" ? "}" : "]")) return EXPECTED.after;
    this.#open.pop();
    return this.#go(1, this.#afterValue());
  }

  #string(next: Place): string | null {
    const start = this.#at;
    this.#at += 1;
    while (this.#take(STRING_PART));
    const character = this.text.charAt(this.#at);
    if (character === '"') return this.#go(1, next);
    if (character === "\\") return 'one of " \\ / b f n r t, or u and four hexadecimal digits, behind the backslash';
    if (character !== "") return "no control character inside a text: write a line break as \\n";
    this.#at = start;
    return "a closing double quote for the text that begins here";
  }

  #afterValue(): Place {
    return this.#open.length > 0 ? "after" : "end";
  }

  #go(characters: number, place: Place): null {
    this.#at += characters;
    this.#place = place;
    return null;
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.#at += found.length;
    return found !== "";
  }
}
