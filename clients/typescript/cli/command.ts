import type { ParseArgsConfig } from "node:util";
import type { LatheClient } from "../../../lib/client/lathe-client";

/** What a command may touch: replaced in tests by nothing, as they run the command itself. */
export interface Context {
  /** Made when it is asked for, so that a wrong command is told before a missing key. */
  client(): LatheClient;
  /** For what was asked for, which other programs read. */
  out(text: string): void;
  /** For what a person wants to know beside it. */
  say(line: string): void;
}

type Options = NonNullable<ParseArgsConfig["options"]>;
type Value = string | boolean | (string | boolean)[] | undefined;

export interface CommandInput {
  words: string[];
  /** The value of an option that takes a text. */
  text(option: string): string | undefined;
  has(option: string): boolean;
}

export interface Command {
  /** What follows the command's name. */
  usage: string;
  summary: string;
  /** Further lines of its help. */
  details?: string;
  options?: Options;
  /** @returns the exit code */
  run(input: CommandInput, context: Context): Promise<number>;
}

/** The command was given in a way that it does not have. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** What a person has to see to before the command can work. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

export function toInput(words: string[], values: Record<string, Value>): CommandInput {
  return {
    words,
    text: (option) => (typeof values[option] === "string" ? values[option] : undefined),
    has: (option) => values[option] === true,
  };
}

/** @throws UsageError when there are fewer words than names, or more */
export function requireWords<Name extends string>(words: string[], names: readonly Name[], more = false): Record<Name, string> {
  const missing = names[words.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing.`);
  const surplus = words[names.length];
  if (surplus !== undefined && !more) throw new UsageError(`“${surplus}” is one word too many. Put a text of several words into quotes.`);
  return Object.fromEntries(names.map((name, place) => [name, words[place] ?? ""])) as Record<Name, string>; // one for each name
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** What a model or another account's data says may hold the terminal's own commands: they would move its cursor, or rename its window. */
export function printable(text: string): string {
  return text.replace(CONTROL, "");
}
