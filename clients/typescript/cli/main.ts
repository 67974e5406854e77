import { parseArgs } from "node:util";
import { LatheApiError, LatheError } from "../../../lib/client/lathe-client";
import { DIFF, LIST, PULL, PUSH } from "./agent-commands";
import { ATTACH } from "./attach";
import { type Command, LOGIN, LOGOUT, openClient, toInput } from "./command";
import { CommandError, UsageError } from "./command-errors";
import { APPROVE, DENY, LOGS, RAISE, RUN, STREAM } from "./run-commands";

const COMMANDS: Readonly<Record<string, Command>> = {
  login: LOGIN,
  logout: LOGOUT,
  "agents list": LIST,
  "agents pull": PULL,
  "agents push": PUSH,
  "agents diff": DIFF,
  run: RUN,
  stream: STREAM,
  attach: ATTACH,
  logs: LOGS,
  raise: RAISE,
  approve: APPROVE,
  deny: DENY,
};

/** 0: done. 1: not done, or files that differ. 2: no such command. */
process.exitCode = await main(process.argv.slice(2)).catch(explain);

async function main(words: string[]): Promise<number> {
  const name = [words.slice(0, 2).join(" "), words[0] ?? ""].find((each) =>
    Object.hasOwn(COMMANDS, each),
  );
  const command = name === undefined ? undefined : COMMANDS[name];
  if (name === undefined || command === undefined) return showCommands(words);
  const { values, positionals } = readWords(words.slice(name.split(" ").length), command, name);
  if (values.help) {
    process.stdout.write(
      `lathe ${name} ${command.usage}\n\n${command.summary}.\n` +
        `${command.details ? `\n${command.details}\n` : ""}`,
    );
    return 0;
  }
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  try {
    return await command.run(toInput(positionals, values), {
      client: openClient,
      out: (text) => void process.stdout.write(text),
      say,
    });
  } catch (error) {
    if (error instanceof UsageError)
      throw new UsageError(`${error.message}\nUsage: lathe ${name} ${command.usage}`);
    throw error;
  }
}

function readWords(args: string[], { options, usage }: Command, name: string) {
  try {
    return parseArgs({
      args,
      options: { ...options, help: { type: "boolean", short: "h" } },
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    // Of parseArgs.
    throw new UsageError(`${(error as Error).message}\nUsage: lathe ${name} ${usage}`);
  }
}

function showCommands(words: string[]): number {
  const wantsHelp = ["", "--help", "-h", "help", "agents", "agents --help", "agents -h"].includes(
    words.join(" "),
  );
  const lines = Object.entries(COMMANDS).map(
    ([name, { summary }]) => `  ${name.padEnd(14)}${summary}`,
  );
  const listed = lines.join("\n");
  const text = `lathe COMMAND …\n\n${listed}\n\nlathe COMMAND --help says more of each.\n`;
  if (!wantsHelp)
    throw new UsageError(`There is no command “${words.slice(0, 2).join(" ")}”.\n\n${text}`);
  process.stdout.write(text);
  return 0;
}

/**
 * What went wrong, for a person. Whatever is not foreseen keeps its stack: it is a fault of this
 * program.
 */
function explain(error: unknown): number {
  if (error instanceof UsageError || error instanceof CommandError) console.error(error.message);
  else if (error instanceof LatheApiError && error.status === 401)
    console.error("The key is not valid, or was revoked. Sign in again: lathe login");
  else if (error instanceof LatheApiError) {
    console.error(error.serviceMessage ?? error.message);
    for (const { path, message } of error.details) console.error(`  ${path}: ${message}`);
    if (error.requestId) console.error(`(${error.code}, request ${error.requestId})`);
  } else if (error instanceof LatheError)
    console.error(`${error.message} Is the service running, and is its address right?`);
  else console.error(error);
  return error instanceof UsageError ? 2 : 1;
}
