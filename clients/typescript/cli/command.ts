import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { text as readAll } from "node:stream/consumers";
import type { ParseArgsConfig } from "node:util";
import { createClient, type LatheClient } from "../../../lib/client/lathe-client";
import { CommandError, UsageError } from "./command-errors";
import { replaceFile } from "./write-file";

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

interface CommandInput {
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

export const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function toInput(words: string[], values: Record<string, Value>): CommandInput {
  return {
    words,
    text: (option) => (typeof values[option] === "string" ? values[option] : undefined),
    has: (option) => values[option] === true,
  };
}

/** @throws UsageError when there are fewer words than names, or more */
export function requireWords<Name extends string>(
  words: string[],
  names: readonly Name[],
  more = false,
): Record<Name, string> {
  const missing = names[words.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing.`);
  const surplus = words[names.length];
  if (surplus !== undefined && !more)
    throw new UsageError(
      `“${surplus}” is one word too many. Put a text of several words into quotes.`,
    );
  return Object.fromEntries(names.map((name, place) => [name, words[place] ?? ""])) as Record<
    Name,
    string
  >; // one for each name
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * What a model or another account's data says may hold the terminal's own commands: they would move
 * its cursor, or rename its window.
 */
export function printable(text: string): string {
  return text.replace(CONTROL, "");
}

interface Settings {
  baseUrl: string;
  apiKey: string;
}

function settingsFile(): string {
  return join(process.env.XDG_CONFIG_HOME || join(homedir(), ".config"), "lathe", "config.json");
}

/**
 * A client by the environment (`LATHE_API_KEY`, `LATHE_BASE_URL`), else by what `lathe login`
 * stored. A stored key is sent to no address but the one that it was stored with.
 * @throws CommandError when there is no key, or none for this address
 */
export function openClient(): LatheClient {
  const stored = readSettings();
  const baseUrl = process.env.LATHE_BASE_URL || stored?.baseUrl;
  const apiKey =
    process.env.LATHE_API_KEY || (stored && stored.baseUrl === baseUrl ? stored.apiKey : undefined);
  if (baseUrl && apiKey) return createClient({ baseUrl, apiKey });
  if (stored && process.env.LATHE_BASE_URL)
    throw new CommandError(
      `The stored key is for ${stored.baseUrl}, not for ${baseUrl}. Set LATHE_API_KEY too, or ` +
        `run: lathe login --base-url ${baseUrl}`,
    );
  throw new CommandError(
    "You are not signed in. Run: lathe login --base-url ADDRESS, or set LATHE_BASE_URL and " +
      "LATHE_API_KEY.",
  );
}

function readSettings(): Settings | null {
  try {
    const { base_url: baseUrl, api_key: apiKey } = JSON.parse(
      readFileSync(settingsFile(), "utf8"),
    ) as Record<string, unknown>; // checked below
    return typeof baseUrl === "string" && typeof apiKey === "string" ? { baseUrl, apiKey } : null;
  } catch {
    return null;
  }
}

export const LOGIN: Command = {
  usage: "--base-url ADDRESS",
  summary: "Store the service's address and a key for the other commands",
  details: `The key is read from standard input, or asked for without being shown; it is never an \
argument, as every user of a machine sees those.
  lathe login --base-url https://lathe.example.com < key.txt
LATHE_BASE_URL and LATHE_API_KEY of the environment come before what is stored.`,
  options: { "base-url": { type: "string" } },
  async run({ words, text }, { say }) {
    requireWords(words, []);
    let baseUrl = text("base-url") ?? process.env.LATHE_BASE_URL ?? readSettings()?.baseUrl ?? "";
    while (baseUrl.endsWith("/")) baseUrl = baseUrl.slice(0, -1);
    if (!URL.canParse(baseUrl))
      throw new CommandError(
        "Give the service's address: lathe login --base-url https://lathe.example.com",
      );
    const apiKey = await readKey();
    if (!apiKey)
      throw new CommandError(
        "There is no key on standard input. Make one in the console under API keys.",
      );
    if (
      new URL(baseUrl).protocol === "http:" &&
      !/^(localhost|127\.|\[::1\])/.test(new URL(baseUrl).hostname)
    )
      say("Note: the key goes to this address unencrypted, as it begins with http:.");
    const { name, account_id } = await createClient({ baseUrl, apiKey }).account.get();
    writeSettings({ baseUrl, apiKey });
    say(`Signed in as ${name ?? account_id}. The key is in ${settingsFile()}.`);
    return 0;
  },
};

export const LOGOUT: Command = {
  usage: "",
  summary: "Remove the stored key from this machine",
  async run({ words }, { say }) {
    requireWords(words, []);
    rmSync(settingsFile(), { force: true });
    say("The stored key is removed. It stays valid until it is revoked in the console.");
    return 0;
  },
};

function writeSettings({ baseUrl, apiKey }: Settings): void {
  const file = settingsFile();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  replaceFile(file, `${JSON.stringify({ base_url: baseUrl, api_key: apiKey }, null, 2)}\n`, 0o600);
}

async function readKey(): Promise<string> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) return (await readAll(stdin)).trim();
  // Before the prompt: who answers it at once, as a program does, would see the key on the screen
  // and in its log.
  stdin.setRawMode(true).setEncoding("utf8");
  stderr.write("Key: ");
  let key = "";
  try {
    for await (const typed of stdin as AsyncIterable<string>) {
      for (const character of typed) {
        if (character === "\r" || character === "\n") return key.trim();
        if (character === "\u0003" || character === "\u0004") return "";
        key = character === "\u007f" ? key.slice(0, -1) : key + character;
      }
    }
    return key.trim();
  } finally {
    stdin.setRawMode(false).pause();
    stderr.write("\n");
  }
}
