/** How a language writes a value down. */
export interface LiteralStyle {
  pad: string;
  /** What it calls null, true and false. */
  words: { null: string; true: string; false: string };
  /** May names that need no quotes go without? */
  bareNames: boolean;
}

export const PYTHON_LITERAL: LiteralStyle = { pad: "    ", words: { null: "None", true: "True", false: "False" }, bareNames: false };
export const TYPESCRIPT_LITERAL: LiteralStyle = { pad: "  ", words: { null: "null", true: "true", false: "false" }, bareNames: true };

/** A value of JSON as source text. `depth` is that of the line on which it begins. JSON's strings and numbers are those of either language. */
export function toLiteral(value: unknown, style: LiteralStyle, depth = 0): string {
  if (value === null || value === undefined) return style.words.null;
  if (typeof value === "boolean") return style.words[`${value}`];
  if (typeof value !== "object") return JSON.stringify(value);
  const entries = Array.isArray(value)
    ? value.map((item) => toLiteral(item, style, depth + 1))
    : Object.entries(value).map(([key, item]) => `${nameOf(key, style)}: ${toLiteral(item, style, depth + 1)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (entries.length === 0) return `${open}${close}`;
  const inner = style.pad.repeat(depth + 1);
  return `${open}\n${entries.map((entry) => `${inner}${entry},`).join("\n")}\n${style.pad.repeat(depth)}${close}`;
}

function nameOf(key: string, { bareNames }: LiteralStyle): string {
  return bareNames && /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}
