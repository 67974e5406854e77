import "server-only";
import { readFile } from "node:fs/promises";
import { text as readAll } from "node:stream/consumers";
import { UsageError } from "@/lib/admin/flags";
import type { Env } from "@/lib/env";
import type { OpenWith, SealTo } from "@/lib/platform/crypto/age-seal";

type BackupEnv = Pick<
  Env,
  "BACKUP_RECIPIENT" | "BACKUP_PASSPHRASE" | "BACKUP_PASSPHRASE_FILE" | "BACKUP_IDENTITY_FILE"
>;
type Stdin = NodeJS.ReadableStream;

/**
 * For whom a backup is sealed, by the flags, else by the environment; null for nobody. @throws
 * UsageError
 */
export async function readSealTo(
  flags: { recipient: string[]; "passphrase-file"?: string },
  env: BackupEnv,
  stdin: Stdin = process.stdin,
): Promise<SealTo | null> {
  const file = flags["passphrase-file"];
  if (file !== undefined && flags.recipient.length > 0)
    throw new UsageError("--recipient and --passphrase-file: give one of them.");
  if (flags.recipient.length > 0) return { recipients: flags.recipient };
  if (file !== undefined)
    return { passphrase: await readPassphrase("--passphrase-file", file, stdin) };
  const passphrase = await passphraseOf(env, stdin);
  if (passphrase !== null && env.BACKUP_RECIPIENT.length > 0)
    throw new UsageError(
      "BACKUP_RECIPIENT and BACKUP_PASSPHRASE are both set: a backup is sealed by one of them.",
    );
  if (env.BACKUP_RECIPIENT.length > 0) return { recipients: env.BACKUP_RECIPIENT };
  return passphrase === null ? null : { passphrase };
}

/**
 * What opens a sealed backup, by the flags, else by the environment; null for nothing. @throws
 * UsageError
 */
export async function readOpenWith(
  flags: { "identity-file"?: string; "passphrase-file"?: string },
  env: BackupEnv,
  stdin: Stdin = process.stdin,
): Promise<OpenWith | null> {
  const { "identity-file": identity, "passphrase-file": file } = flags;
  if (identity !== undefined && file !== undefined)
    throw new UsageError("--identity-file and --passphrase-file: give one of them.");
  if (identity !== undefined)
    return { identities: await readText("--identity-file", identity, stdin) };
  if (file !== undefined)
    return { passphrase: await readPassphrase("--passphrase-file", file, stdin) };
  if (env.BACKUP_IDENTITY_FILE !== "")
    return { identities: await readText("BACKUP_IDENTITY_FILE", env.BACKUP_IDENTITY_FILE, stdin) };
  const passphrase = await passphraseOf(env, stdin);
  return passphrase === null ? null : { passphrase };
}

async function passphraseOf(env: BackupEnv, stdin: Stdin): Promise<string | null> {
  if (env.BACKUP_PASSPHRASE_FILE !== "")
    return readPassphrase("BACKUP_PASSPHRASE_FILE", env.BACKUP_PASSPHRASE_FILE, stdin);
  return env.BACKUP_PASSPHRASE === "" ? null : env.BACKUP_PASSPHRASE;
}

/** Without the line break at its end, which editors add. */
async function readPassphrase(name: string, file: string, stdin: Stdin): Promise<string> {
  const passphrase = (await readText(name, file, stdin)).replace(/\r?\n$/, "");
  if (passphrase === "") throw new UsageError(`The passphrase of ${name} is empty.`);
  return passphrase;
}

async function readText(name: string, file: string, stdin: Stdin): Promise<string> {
  if (file === "-") return readAll(stdin);
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new UsageError(
      `The file of ${name} cannot be read: ${(error as NodeJS.ErrnoException).code}.`,
    ); // of the file system
  }
}
