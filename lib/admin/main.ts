import "server-only";
import { accountCreate, accountUpdate } from "@/lib/admin/account-commands";
import { keyCreate, keyList, keyRevoke } from "@/lib/admin/key-commands";
import { readFlags, UsageError } from "@/lib/admin/read-flags";
import { secretsRotateKey } from "@/lib/admin/secrets-rotate-key";
import { ServiceError } from "@/lib/model/errors";
import { postgres } from "@/lib/platform/postgres";

const COMMANDS: Record<string, (flags: Map<string, string>) => Promise<object>> = {
  "account create": accountCreate,
  "account update": accountUpdate,
  "key create": keyCreate,
  "key list": keyList,
  "key revoke": keyRevoke,
  "secrets rotate-key": secretsRotateKey,
};

/** The operator's command: prints one JSON object and returns the exit code (0, or 1 with `{error, message}`). */
export async function main(argv: string[]): Promise<number> {
  try {
    const name = argv.slice(0, 2).join(" ");
    const command = COMMANDS[name];
    if (!command) throw new UsageError(`There is no command "${name}". Commands: ${Object.keys(COMMANDS).join(", ")}.`);
    print(await command(readFlags(argv.slice(2))));
    return 0;
  } catch (error) {
    const code = error instanceof ServiceError ? error.code : error instanceof UsageError ? "INVALID_INPUT" : "INTERNAL_ERROR";
    print({ error: code, message: error instanceof Error ? error.message : String(error) });
    return 1;
  } finally {
    await postgres().end();
  }
}

function print(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
