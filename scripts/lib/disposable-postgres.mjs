import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { listDataDirUsers } from "./data-dir-users.mjs";
import { startPostgres } from "./postgres.mjs";
import { stopPostmaster } from "./postmaster.mjs";
import { withLock } from "./with-lock.mjs";

const PREFIX = "lathe-temporary-";

/**
 * A PostgreSQL for one run of tests or one tool, in a temporary folder: `{ url, stop() }`; `stop()` deletes it.
 * First clears away those that killed processes left behind.
 */
export async function startDisposablePostgres() {
  for (const name of readdirSync(tmpdir())) if (name.startsWith(PREFIX)) await sweep(join(tmpdir(), name)).catch(() => {});
  return startPostgres(mkdtempSync(join(tmpdir(), PREFIX)), { disposable: true });
}

/** Removes the folder unless a living process uses it or is just starting there (it holds the lock, or has not come so far yet). */
async function sweep(folder) {
  const pointer = join(folder, "postgres.json");
  if (!existsSync(pointer)) return;
  await withLock(join(folder, "postgres.lock"), async () => {
    if (listDataDirUsers(folder).length > 0) return;
    const { home } = JSON.parse(readFileSync(pointer, "utf8"));
    const place = isAbsolute(home) ? home : join(folder, home);
    if (existsSync(place)) await stopPostmaster(join(place, "cluster"));
    rmSync(place, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  });
}
