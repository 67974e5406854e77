import "server-only";
import { type Flag, type Flags, type FlagValues, readFlags } from "@/lib/admin/flags";

/**
 * One command of the operator: what it does, its flags, and the verb behind it. Parser and help are
 * made of this object.
 */
export interface Command {
  /** As it is typed, such as `account create`. */
  name: string;
  summary: string;
  flags: Flags;
  /**
   * Runs with the words after the name, and gives the object to print; a text is help. @throws
   * UsageError, ServiceError
   */
  run(words: readonly string[]): Promise<object | string>;
}

/** Declares a command; what its verb is given is typed by its flags. */
export function command<F extends Flags>(definition: {
  name: string;
  summary: string;
  flags: F;
  run(values: FlagValues<F>): Promise<object>;
}): Command {
  const { name, summary, flags } = definition;
  return {
    name,
    summary,
    flags,
    async run(words) {
      const values = readFlags(words, flags);
      return values === "help" ? commandHelp({ name, summary, flags }) : definition.run(values);
    },
  };
}

const CALL = "npm run -s admin --";

/** How one command is called, with a line for each flag. */
export function commandHelp({
  name,
  summary,
  flags,
}: Pick<Command, "name" | "summary" | "flags">): string {
  const entries = Object.entries(flags);
  const usage = [
    `Usage: ${CALL} ${name}`,
    ...entries.map(([flag, spec]) => inUsage(flag, spec)),
  ].join(" ");
  const rows = [
    ...entries.map(([flag, spec]) => [`--${flag} ${spec.value}`, spec.help] as const),
    ["--help", "Prints this."] as const,
  ];
  return `${usage}\n\n${summary}\n\n${table(rows)}\n`;
}

/** All commands, or those of one group such as `account`. */
export function commandsHelp(commands: readonly Command[], group = ""): string {
  const rows = commands.map(({ name, summary }) => [name, summary] as const);
  return (
    `Usage: ${CALL} ${group || "GROUP"} COMMAND [--flags]\n\n${table(rows)}\n\n` +
    `${CALL} ${group || "GROUP"} COMMAND --help shows a command's flags.\n`
  );
}

function inUsage(name: string, flag: Flag<unknown>): string {
  const text = `--${name} ${flag.value}`;
  return flag.required ? text : `[${text}]${flag.repeatable ? "…" : ""}`;
}

function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}
