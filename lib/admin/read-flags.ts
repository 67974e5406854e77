import "server-only";

/** The command line cannot be understood; the message says what is wrong. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Flags that may stand bare; every other one takes the next word, whatever it starts with: a password may start with two dashes. */
const SWITCHES = new Set(["admin", "super-agent", "blocked"]);

/** `--name value`, `--name=value` and bare `--name` (empty text) as a map. @throws UsageError */
export function readFlags(argv: readonly string[]): Map<string, string> {
  const flags = new Map<string, string>();
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? "";
    if (!word.startsWith("--")) throw new UsageError(`"${word}" is not a flag: flags are written --name value.`);
    const [name, inline] = splitOnce(word.slice(2));
    const next = argv[index + 1];
    if (flags.has(name)) throw new UsageError(`--${name} is given twice.`);
    if (inline !== undefined) flags.set(name, inline);
    else if (next !== undefined && (!SWITCHES.has(name) || !next.startsWith("--"))) {
      flags.set(name, next);
      index++;
    } else flags.set(name, "");
  }
  return flags;
}

function splitOnce(text: string): [string, string | undefined] {
  const cut = text.indexOf("=");
  return cut < 0 ? [text, undefined] : [text.slice(0, cut), text.slice(cut + 1)];
}

/** Refuses flags that the command does not know, so that a typing error changes nothing. @throws UsageError */
export function allowOnly(flags: Map<string, string>, names: readonly string[]): void {
  for (const name of flags.keys())
    if (!names.includes(name))
      throw new UsageError(`--${name} is not a flag of this command: ${names.map((known) => `--${known}`).join(", ")}.`);
}

export function requireText(flags: Map<string, string>, name: string): string {
  const text = flags.get(name);
  if (!text) throw new UsageError(`--${name} is missing.`);
  return text;
}

/** True for a bare flag or `true`, false for `false` or no flag. @throws UsageError */
export function readSwitch(flags: Map<string, string>, name: string): boolean | undefined {
  const text = flags.get(name);
  if (text === undefined) return undefined;
  if (text === "" || text === "true") return true;
  if (text === "false") return false;
  throw new UsageError(`--${name} takes true or false.`);
}

/** @throws UsageError */
export function readWhole(flags: Map<string, string>, name: string): number | undefined {
  const text = flags.get(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--${name} takes a whole number.`);
  return Number(text);
}

/** Credits with up to six decimals. @throws UsageError */
export function readCredits(flags: Map<string, string>, name: string): number | undefined {
  const text = flags.get(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(text)) throw new UsageError(`--${name} takes credits with up to six decimals.`);
  return Number(text);
}
