import "server-only";
import { CAP_NAMES, type CapName } from "@/lib/model/limits";
import { isUuid } from "@/lib/model/uuid";

/** The command line cannot be understood; the message says what is wrong. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** One flag of a command: parser and help are both made of it. */
export interface Flag<T> {
  /** What help shows in the place of its value, such as `N`. */
  value: string;
  help: string;
  /**
   * May stand without a value; any other flag takes the next word, whatever it starts with: a
   * password may start with two dashes.
   */
  bare: boolean;
  repeatable: boolean;
  required: boolean;
  /** Reads the words given for it, none when it was left out. @throws UsageError */
  read(words: readonly string[], name: string): T;
}

export type Flags = Record<string, Flag<unknown>>;

/** What a command is given: each of its flags, read. */
export type FlagValues<F extends Flags> = {
  [K in keyof F]: F[K] extends Flag<infer T> ? T : never;
};

/**
 * A flag with one value, given once or not at all. `parse` gives undefined for a word that does not
 * fit, and `takes` says what would.
 */
function single<T>(
  value: string,
  help: string,
  takes: string,
  parse: (word: string) => T | undefined,
): Flag<T | undefined> {
  return {
    value,
    help,
    bare: false,
    repeatable: false,
    required: false,
    read([word], name) {
      if (word === undefined) return undefined;
      const read = parse(word);
      if (read === undefined) throw new UsageError(`--${name} takes ${takes}.`);
      return read;
    },
  };
}

export const text = (value: string, help: string) => single(value, help, "a text", (word) => word);

export const email = (help: string) =>
  single("EMAIL", help, "an e-mail address", (word) =>
    /^[^\s@]+@[^\s@]+$/.test(word) ? word : undefined,
  );

export const id = (help: string) =>
  single("ID", help, "an id", (word) => (isUuid(word) ? word : undefined));

export const whole = (help: string) =>
  single("N", help, "a whole number", (word) =>
    /^\d{1,9}$/.test(word) ? Number(word) : undefined,
  );

export const credits = (help: string) =>
  single("N", help, "credits with up to six decimals", (word) =>
    /^\d{1,9}(\.\d{1,6})?$/.test(word) ? Number(word) : undefined,
  );

/** One cap of an account: `agents=50`, or `agents=default` for the service's own number (null). */
export const cap = (help: string) =>
  single(
    "NAME=N",
    help,
    `NAME=N or NAME=default, where NAME is ${CAP_NAMES.join(", ")}`,
    (word): [CapName, number | null] | undefined => {
      const [name, amount = ""] = splitOnce(word);
      const known = CAP_NAMES.find((each) => each === name);
      if (!known || !/^(default|\d{1,9})$/.test(amount)) return undefined;
      return [known, amount === "default" ? null : Number(amount)];
    },
  );

const SWITCH: Record<string, boolean> = { "": true, true: true, false: false };

/** Bare or `true`: on. `false`: off. */
export function toggle(help: string): Flag<boolean | undefined> {
  return { ...single("[true|false]", help, "true or false", (word) => SWITCH[word]), bare: true };
}

export function required<T>(flag: Flag<T | undefined>): Flag<T> {
  return {
    ...flag,
    required: true,
    read(words, name) {
      const value = words[0] === "" ? undefined : flag.read(words, name);
      if (value === undefined) throw new UsageError(`--${name} is missing.`);
      return value;
    },
  };
}

/** Every value of a flag that may be given many times, in their order. */
export function repeated<T>(flag: Flag<T | undefined>): Flag<T[]> {
  return {
    ...flag,
    repeatable: true,
    read: (words, name) =>
      words.map((word) => flag.read([word], name)).filter((value) => value !== undefined),
  };
}

/**
 * Reads `--name value`, `--name=value` and bare `--name`; `help` where `--help` or `-h` stands in a
 * flag's place. @throws UsageError
 */
export function readFlags<F extends Flags>(
  words: readonly string[],
  flags: F,
): FlagValues<F> | "help" {
  const given = new Map<string, string[]>();
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    if (word === "--help" || word === "-h") return "help";
    if (!word.startsWith("--"))
      throw new UsageError(`"${word}" is not a flag: flags are written --name value.`);
    const [name, inline] = splitOnce(word.slice(2));
    const flag = requireFlag(flags, name);
    const before = given.get(name) ?? [];
    if (before.length > 0 && !flag.repeatable) throw new UsageError(`--${name} is given twice.`);
    const next = words[index + 1];
    const takesNext =
      inline === undefined && next !== undefined && (!flag.bare || !/^-(-|h$)/.test(next));
    if (takesNext) index++;
    given.set(name, [...before, inline ?? (takesNext ? next : "")]);
  }
  const values = Object.entries(flags).map(([name, flag]) => [
    name,
    flag.read(given.get(name) ?? [], name),
  ]);
  return Object.fromEntries(values) as FlagValues<F>; // each entry was read by the flag of its name
}

/** A typing error must change nothing, so an unknown flag is refused. @throws UsageError */
function requireFlag(flags: Flags, name: string): Flag<unknown> {
  const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
  if (flag) return flag;
  const known = Object.keys(flags).map((each) => `--${each}`);
  throw new UsageError(
    `--${name} is not a flag of this command. ` +
      `${known.length > 0 ? `It takes ${known.join(", ")}.` : "It takes none."}`,
  );
}

function splitOnce(word: string): [string, string | undefined] {
  const cut = word.indexOf("=");
  return cut < 0 ? [word, undefined] : [word.slice(0, cut), word.slice(cut + 1)];
}
