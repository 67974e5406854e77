import "server-only";
import { text as readAll } from "node:stream/consumers";
import { text, toggle, UsageError } from "@/lib/admin/flags";

const PASSWORD_MAX_CHARACTERS = 200;

/** The two ways to give a password. The second keeps it out of the shell's history and the list of processes. */
export const passwordFlags = (help: string) => ({
  password: text("PASSWORD", `${help} Others on this machine can see it while the command runs: better give --password-stdin.`),
  "password-stdin": toggle("Takes the password from standard input instead."),
});

/**
 * The password that the flags give, or standard input without the line break at its end; undefined for none.
 * @throws UsageError when it is given twice, is empty, or is too long to sign in with
 */
export async function readPassword(
  flags: { password?: string; "password-stdin"?: boolean },
  stdin: NodeJS.ReadableStream = process.stdin,
): Promise<string | undefined> {
  if (!flags["password-stdin"]) return checked(flags.password);
  if (flags.password !== undefined) throw new UsageError("--password and --password-stdin: give one of them.");
  return checked((await readAll(stdin)).replace(/\r?\n$/, ""));
}

function checked(password: string | undefined): string | undefined {
  if (password === "") throw new UsageError("The password is empty.");
  if (password !== undefined && password.length > PASSWORD_MAX_CHARACTERS)
    throw new UsageError(`A password has at most ${PASSWORD_MAX_CHARACTERS} characters.`);
  return password;
}
