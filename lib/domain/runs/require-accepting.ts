import "server-only";
import { ServiceError } from "@/lib/model/errors";
import { once } from "@/lib/platform/once";
import { postgres } from "@/lib/platform/postgres";

/** How long a process goes by what it last read: one statement in that time, however many runs start. */
export const ACCEPTING_KNOWN_MS = 2_000;

interface Known {
  until: number;
  draining: Promise<boolean>;
}

/**
 * Refuses new runs while the operator drains the engine (`admin engine drain`). What a run at work starts itself is let through: it would not end without.
 * @throws ServiceError SERVICE_UNAVAILABLE
 */
export async function requireAccepting(parent: object | undefined, now = Date.now()): Promise<void> {
  if (parent) return;
  const known = once<Known>("draining", () => ({ until: 0, draining: Promise.resolve(false) }));
  if (now >= known.until) {
    known.until = now + ACCEPTING_KNOWN_MS;
    known.draining = readDraining();
    // A database that is away is told by whoever needs it next.
    known.draining.catch(() => {
      known.until = 0;
    });
  }
  if (!(await known.draining)) return;
  throw new ServiceError(
    "SERVICE_UNAVAILABLE",
    "The service is being moved to another engine and starts no runs at the moment. Nothing was started; try again in some minutes.",
    {},
    { "Retry-After": "60" },
  );
}

async function readDraining(): Promise<boolean> {
  const { rows } = await postgres().query<{ draining: boolean }>(
    "SELECT draining_since IS NOT NULL AS draining FROM service_identity WHERE id = 1",
  );
  return rows[0]?.draining ?? false;
}
