import "server-only";
import pg from "pg";
import { createAccount } from "@/lib/domain/account/create-account";
import type { Principal } from "@/lib/domain/principal";
import { newId } from "@/lib/platform/ids";
import { processSingleton } from "@/lib/platform/process-singleton";
import type { ResolvedModel } from "@/lib/runtime/models/stream-turn";
import { createTestDatabase } from "@/lib/storage/test-database";

export interface DomainDatabase {
  pool: pg.Pool;
  /** A new account with plenty of credits, as one of its keys sees it. */
  account(options?: Partial<Principal>): Promise<Principal>;
  close(): Promise<void>;
}

/**
 * A migrated database of its own for one test file, as the one of this process: call it before any
 * verb.
 */
export async function openDomainDatabase(): Promise<DomainDatabase> {
  const database = await createTestDatabase();
  const pool = processSingleton(
    "postgres",
    () => new pg.Pool({ connectionString: database.url, max: 20 }),
  );
  processSingleton("postgres.engine", () => pool);
  // `drop` cuts what is still connected.
  pool.on("error", () => {});
  return {
    pool,
    async account(options = {}) {
      const { accountId, userId } = await createAccount({
        email: `${newId()}@example.test`,
        password: null,
        credits: 100_000,
        // Works on as many runs at once as others do.
        isInvited: true,
      });
      const rights = {
        isAdmin: false,
        blocked: false,
        superAgentAccess: false,
        writePerHour: 100_000,
      };
      return { accountId, userId, agentId: null, via: "key", ...rights, ...options };
    },
    async close() {
      await pool.end();
      await database.drop();
    },
  };
}

/** Has this process answer runs of `model.id` by this model. */
export function injectModel(model: ResolvedModel): void {
  processSingleton("language-models", () => new Map<string, ResolvedModel>()).set(model.id, model);
}
