import "server-only";
import { readOpenWith, readSealTo } from "@/lib/admin/backup-keys";
import { type Command, command, commandHelp } from "@/lib/admin/command";
import {
  type Flags,
  type FlagValues,
  readFlags,
  repeated,
  required,
  text,
  toggle,
  UsageError,
  whole,
} from "@/lib/admin/flags";
import { checkInvariants } from "@/lib/domain/admin/check-invariants";
import { drainEngine, resumeStarts } from "@/lib/domain/admin/drain-engine";
import { listEngineDeaths } from "@/lib/domain/admin/engine-deaths";
import { rotateEncryptionKey } from "@/lib/domain/admin/rotate-encryption-key";
import { adoptFileStore, adoptKeyRing } from "@/lib/domain/admin/service-identity";
import { moveDatabase } from "@/lib/domain/backup/move-database";
import { moveFiles } from "@/lib/domain/backup/move-files";
import { restoreBackup } from "@/lib/domain/backup/restore-backup";
import { writeBackup } from "@/lib/domain/backup/write-backup";
import { findLeakedFiles, findMissingFiles } from "@/lib/domain/blobs/blob-audit";
import { createStore } from "@/lib/domain/blobs/stored-bytes";
import { findPrincipalByEmail, operatorActor } from "@/lib/domain/principal";
import {
  rotateSigningSecret,
  type SigningSecret,
  showSigningSecret,
} from "@/lib/domain/webhooks/signing-secret";
import { env } from "@/lib/env";
import { ServiceError } from "@/lib/model/errors";
import { processHooks } from "@/lib/platform/process-hooks.mjs";

/** A command on a folder, which is its first word. */
function onFolder<F extends Flags>(
  name: string,
  summary: string,
  flags: F,
  work: (path: string, flags: FlagValues<F>) => Promise<object>,
): Command {
  return {
    name,
    summary,
    flags,
    async run([path, ...rest]) {
      const help = commandHelp({ name: `${name} PATH`, summary, flags });
      if (path === "--help" || path === "-h") return help;
      const plural = Object.keys(flags).map((flag) => ` [--${flag} …]`);
      if (
        path === undefined ||
        path === "" ||
        path.startsWith("-") ||
        (rest[0] !== undefined && !rest[0].startsWith("-"))
      )
        throw new UsageError(
          `Say the one folder: npm run -s admin -- ${name} PATH${plural.join("")}`,
        );
      const values = readFlags(rest, flags);
      return values === "help" ? help : work(path, values);
    },
  };
}

const PASSPHRASE_FILE = text(
  "FILE",
  "Holds the passphrase; - reads it from standard input. It is never an argument: others on " +
    "this machine see those.",
);

export const BACKUP_COMMANDS = [
  onFolder(
    "backup",
    "Saves database, files and keys into a new folder, of one moment, while the service " +
      "runs; sealed where it is said for whom.",
    {
      recipient: repeated(
        text(
          "AGE1…",
          "Seals all of it for this public key of age-keygen; may be given again. Else " +
            "BACKUP_RECIPIENT.",
        ),
      ),
      "passphrase-file": PASSPHRASE_FILE,
      "without-keys": toggle(
        "Whether the key ring stays out: without it no secret of the backup opens.",
      ),
    },
    async (path, flags) =>
      writeBackup(path, {
        sealTo: await readSealTo(flags, env()),
        withKeys: flags["without-keys"] !== true,
      }),
  ),
  onFolder(
    "restore",
    "Fills a stopped, empty service from such a folder.",
    {
      "identity-file": text(
        "FILE",
        "Holds the secret key of a recipient, as age-keygen writes it. Else BACKUP_IDENTITY_FILE.",
      ),
      "passphrase-file": PASSPHRASE_FILE,
      "revoke-keys": toggle(
        "Whether all API keys of the backup are revoked: those that were revoked since work " +
          "again otherwise.",
      ),
    },
    async (path, flags) => {
      const mustBeSealed =
        flags["identity-file"] !== undefined || flags["passphrase-file"] !== undefined;
      const openWith = await readOpenWith(flags, env());
      return restoreBackup(path, {
        openWith,
        mustBeSealed,
        revokeKeys: flags["revoke-keys"] === true,
      });
    },
  ),
];

const database = command({
  name: "move database",
  summary:
    "Copies the database of the stopped service into an empty one, for example out of the " +
    "embedded PostgreSQL.",
  flags: { to: required(text("URL", "The address of an empty PostgreSQL database.")) },
  async run({ to }) {
    if (!/^postgres(ql)?:\/\//.test(to))
      throw new UsageError(
        "--to takes an address such as postgresql://lathe:password@db.example.com/lathe.",
      );
    const moved = await moveDatabase(to, migrateOther);
    return {
      status: "moved",
      ...moved,
      next:
        "Set DATABASE_URL to that address and start the service. The old database stays as it " +
        "is; do not start on it again.",
    };
  },
});

/** Migrations are the scripts' own. */
async function migrateOther(url: string): Promise<void> {
  const { migrate } = processHooks();
  if (!migrate)
    throw new ServiceError(
      "INTERNAL_ERROR",
      "The migrations are not at hand: use npm run -s admin.",
    );
  await migrate(url);
}

const files = command({
  name: "move files",
  summary:
    "Copies all files into another store and compares them; once the service is stopped, the " +
    "database belongs to the new one.",
  flags: {
    to: required(text("s3|disk", "Where to.")),
    bucket: text(
      "NAME",
      "For s3: the bucket. Region, address and credentials are those of S3_REGION, " +
        "S3_ENDPOINT and the other S3_ variables.",
    ),
  },
  async run({ to, bucket }) {
    if (to !== "s3" && to !== "disk") throw new UsageError("--to takes s3 or disk.");
    if ((to === "s3") !== (bucket !== undefined && bucket !== ""))
      throw new UsageError("--bucket is given with --to s3, and with nothing else.");
    const moved = await moveFiles(createStore(bucket ?? ""));
    const setting =
      to === "s3"
        ? `S3_BUCKET=${bucket}, and the other S3_ variables as they are now,`
        : "S3_BUCKET to nothing";
    const next =
      moved.status === "moved"
        ? `Set ${setting} and start the service. The old files stay where they are until you ` +
          "remove them."
        : "Stop the service and give this command again: it copies what has come since and " +
          "then says what to set.";
    return {
      ...moved,
      missing: moved.missing.length,
      missing_keys: moved.missing.slice(0, 20),
      next,
    };
  },
});

const drain = command({
  name: "engine drain",
  summary:
    "Has the running service refuse new runs and waits until the embedded executor has " +
    "nothing left, so that an Inngest server can take over.",
  flags: {
    "wait-minutes": whole("How long to wait; 30 by default. With 0 it says at once what is left."),
    off: toggle("Whether runs may start again, and nothing is waited for."),
  },
  async run(flags) {
    if (flags.off === true) {
      await resumeStarts();
      return { status: "open" };
    }
    const drained = await drainEngine((flags["wait-minutes"] ?? 30) * 60_000);
    return { ok: drained.status === "drained", ...drained };
  },
});

export const MOVE_COMMANDS = [database, files, drain];

const SHOWN = 20;

const check = command({
  name: "check",
  summary:
    "Looks at the books and the states of everything, beside the running service; prints " +
    "{ok: true}, or what is broken.",
  flags: {
    grace: whole(
      "Seconds that what is under way may take to become true: 60, or 0 where everything " +
        "stands still.",
    ),
  },
  run: ({ grace }) => checkInvariants(grace),
});

const filesCheck = command({
  name: "files check",
  summary:
    "Compares the file store with the rows that name files: bytes that no row has named for " +
    "a day, and rows whose bytes are gone.",
  flags: { delete: toggle("Whether the bytes that no row names are removed.") },
  async run(flags) {
    const { looked, leaked } = await findLeakedFiles("", { remove: flags.delete === true });
    const { rows, missing } = await findMissingFiles();
    const removed = flags.delete === true ? leaked.length : 0;
    return {
      ok: missing.length === 0 && leaked.length === removed,
      files: looked,
      rows,
      leaked: leaked.length,
      leaked_bytes: leaked.reduce((sum, { size_bytes }) => sum + size_bytes, 0),
      leaked_keys: leaked.slice(0, SHOWN).map(({ key }) => key),
      removed,
      missing: missing.length,
      missing_rows: missing
        .slice(0, SHOWN)
        .map(({ table, id, account_id, key }) => ({ table, id, account_id, key })),
    };
  },
});

const filesAdopt = command({
  name: "files adopt",
  summary:
    "Says that the files of this database lie in the store of these settings, where each of " +
    "them is looked for first.",
  flags: {},
  run: () => adoptFileStore(),
});

const secretsAdopt = command({
  name: "secrets adopt",
  summary:
    "Says that the encryption keys of these settings are this database's from now on, where " +
    "the older ones are lost.",
  flags: {},
  run: () => adoptKeyRing(),
});

const engineDeaths = command({
  name: "engine deaths",
  summary:
    "Shows the processes that died or froze within a month, and which runs each of them " +
    "held: what kills a process stands first.",
  flags: {},
  run: listEngineDeaths,
});

export const CHECK_COMMANDS = [check, engineDeaths, filesCheck, filesAdopt, secretsAdopt];

const OVERLAP_DEFAULT_MINUTES = 1_440;
const OVERLAP_MAX_MINUTES = 43_200;
const email = required(text("EMAIL", "Whose account."));

const secretsRotateKey = command({
  name: "secrets rotate-key",
  summary:
    "Makes a fresh encryption key, seals every stored secret anew with it and retires the " +
    "older keys, beside running servers.",
  flags: {},
  run: () => rotateEncryptionKey(operatorActor()),
});

const webhookSecretShow = command({
  name: "webhook-secret show",
  summary: "Prints the secret that signs an account's webhooks.",
  flags: { email },
  async run(flags) {
    return toRow(await showSigningSecret(await findPrincipalByEmail(flags.email)));
  },
});

const webhookSecretRotate = command({
  name: "webhook-secret rotate",
  summary:
    "Gives an account a fresh webhook secret; the one before signs along during the overlap.",
  flags: {
    email,
    "overlap-minutes": whole(
      `Minutes for which both sign; ${OVERLAP_DEFAULT_MINUTES} by default, 0 ends the old one at ` +
        "once.",
    ),
  },
  async run(flags) {
    const minutes = flags["overlap-minutes"] ?? OVERLAP_DEFAULT_MINUTES;
    if (minutes > OVERLAP_MAX_MINUTES)
      throw new UsageError(`--overlap-minutes takes 0 to ${OVERLAP_MAX_MINUTES}.`);
    return toRow(await rotateSigningSecret(await findPrincipalByEmail(flags.email), minutes));
  },
});

function toRow({ secret, previousExpiresAt }: SigningSecret): object {
  return { webhook_secret: secret, previous_expires_at: previousExpiresAt };
}

export const SECRET_COMMANDS = [secretsRotateKey, webhookSecretShow, webhookSecretRotate];
