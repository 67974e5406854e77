import "server-only";
import { postgres } from "@/lib/platform/postgres";

/**
 * Works on a deletion while no other process does. The lock is the connection's, so that it is free
 * when the process is killed.
 * @returns what `work` gives; false, without a call of it, while another is at it
 */
export async function workAlone(lock: string, work: () => Promise<boolean>): Promise<boolean> {
  const client = await postgres().connect();
  try {
    const { rows } = await client.query<{ locked: boolean }>(
      "SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS locked",
      [lock],
    );
    return rows[0]?.locked === true && (await work());
  } finally {
    await client.query("SELECT pg_advisory_unlock_all()").finally(() => client.release());
  }
}
