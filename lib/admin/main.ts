import "server-only";
import { ACCOUNT_COMMANDS, KEY_COMMANDS } from "@/lib/admin/account-commands";
import { type Command, commandsHelp } from "@/lib/admin/command";
import {
  BACKUP_COMMANDS,
  CHECK_COMMANDS,
  MOVE_COMMANDS,
  SECRET_COMMANDS,
} from "@/lib/admin/data-commands";
import { UsageError } from "@/lib/admin/flags";
import { giveRunWebhook } from "@/lib/api/schemas/run-webhook";
import { ServiceError } from "@/lib/model/errors";
import { closeProcessService } from "@/lib/service";

/** Every command, in the order in which help lists them. */
export const COMMANDS: readonly Command[] = [
  ...ACCOUNT_COMMANDS,
  ...KEY_COMMANDS,
  ...SECRET_COMMANDS,
  ...BACKUP_COMMANDS,
  ...CHECK_COMMANDS,
  ...MOVE_COMMANDS,
];

/**
 * The operator's command: prints one JSON object, or help, and returns the exit code: 0, or 1 with
 * `{error, message}` or what was found broken (`ok: false`).
 */
export async function main(argv: string[]): Promise<number> {
  giveRunWebhook();
  const { output, code } = await answer(argv);
  process.stdout.write(output);
  await closeProcessService();
  return code;
}

/** What the command prints, and its exit code. Never throws. */
export async function answer(argv: string[]): Promise<{ output: string; code: 0 | 1 }> {
  try {
    const said = await run(argv);
    const output = typeof said === "string" ? said : `${JSON.stringify(said)}\n`;
    return { output, code: typeof said === "object" && "ok" in said && said.ok === false ? 1 : 0 };
  } catch (error) {
    const code =
      error instanceof ServiceError
        ? error.code
        : error instanceof UsageError
          ? "INVALID_INPUT"
          : "INTERNAL_ERROR";
    const message = error instanceof Error ? error.message : String(error);
    return { output: `${JSON.stringify({ error: code, message })}\n`, code: 1 };
  }
}

const HELP = new Set(["help", "--help", "-h"]);

/**
 * Does what the words say; a text is help, and needs no database. @throws UsageError, ServiceError
 */
export async function run(argv: readonly string[]): Promise<object | string> {
  const [group = "", verb = ""] = argv;
  if (HELP.has(group)) return commandsHelp(COMMANDS);
  const alone = COMMANDS.find(({ name }) => name === group);
  if (alone) return alone.run(argv.slice(1));
  const siblings = COMMANDS.filter(({ name }) => name.startsWith(`${group} `));
  if (siblings.length > 0 && HELP.has(verb)) return commandsHelp(siblings, group);
  const command = siblings.find(
    ({ name }) => name === `${group} ${verb}` || name === argv.slice(0, 3).join(" "),
  );
  if (command) return command.run(argv.slice(command.name.split(" ").length));
  const known = (siblings.length > 0 ? siblings : COMMANDS).map(({ name }) => name).join(", ");
  throw new UsageError(
    `There is no command "${[group, verb].join(" ").trim()}". Commands: ${known}. --help shows ` +
      "what they do.",
  );
}
