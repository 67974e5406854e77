import "server-only";
import { command } from "@/lib/admin/command";
import { required, text, toggle, UsageError, whole } from "@/lib/admin/flags";
import { drainEngine, resumeStarts } from "@/lib/domain/admin/drain-engine";
import { moveDatabase } from "@/lib/domain/backup/move-database";
import { moveFiles } from "@/lib/domain/backup/move-files";
import { createStore } from "@/lib/domain/blobs/stored-bytes";
import { ServiceError } from "@/lib/model/errors";

const database = command({
  name: "move database",
  summary: "Copies the database of the stopped service into an empty one, for example out of the embedded PostgreSQL.",
  flags: { to: required(text("URL", "The address of an empty PostgreSQL database.")) },
  async run({ to }) {
    if (!/^postgres(ql)?:\/\//.test(to))
      throw new UsageError("--to takes an address such as postgresql://lathe:password@db.example.com/lathe.");
    const moved = await moveDatabase(to, migrateOther);
    return {
      status: "moved",
      ...moved,
      next: "Set DATABASE_URL to that address and start the service. The old database stays as it is; do not start on it again.",
    };
  },
});

/** The seam named in scripts/admin.mjs. */
async function migrateOther(url: string): Promise<void> {
  const migrate = (globalThis as unknown as Record<symbol, ((url: string) => Promise<void>) | undefined>)[Symbol.for("lathe.migrate")];
  if (!migrate) throw new ServiceError("INTERNAL_ERROR", "The migrations are not at hand: use npm run -s admin.");
  await migrate(url);
}

const files = command({
  name: "move files",
  summary: "Copies all files into another store and compares them; once the service is stopped, the database belongs to the new one.",
  flags: {
    to: required(text("s3|disk", "Where to.")),
    bucket: text(
      "NAME",
      "For s3: the bucket. Region, address and credentials are those of S3_REGION, S3_ENDPOINT and the other S3_ variables.",
    ),
  },
  async run({ to, bucket }) {
    if (to !== "s3" && to !== "disk") throw new UsageError("--to takes s3 or disk.");
    if ((to === "s3") !== (bucket !== undefined && bucket !== ""))
      throw new UsageError("--bucket is given with --to s3, and with nothing else.");
    const moved = await moveFiles(createStore(bucket ?? ""));
    const setting = to === "s3" ? `S3_BUCKET=${bucket}, and the other S3_ variables as they are now,` : "S3_BUCKET to nothing";
    const next =
      moved.status === "moved"
        ? `Set ${setting} and start the service. The old files stay where they are until you remove them.`
        : "Stop the service and give this command again: it copies what has come since and then says what to set.";
    return { ...moved, missing: moved.missing.length, missing_keys: moved.missing.slice(0, 20), next };
  },
});

const drain = command({
  name: "engine drain",
  summary:
    "Has the running service refuse new runs and waits until the embedded executor has nothing left, so that an Inngest server can take over.",
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
