import "server-only";
import pg from "pg";
import { createAccount } from "@/lib/domain/account/create-account";
import type { Principal } from "@/lib/domain/principal";
import { newId } from "@/lib/platform/ids";
import { once } from "@/lib/platform/once";
import type { ResolvedModel } from "@/lib/runtime/models/stream-turn";
import { createTestDatabase } from "@/lib/storage/test-database";

export interface DomainDatabase {
  pool: pg.Pool;
  /** A new account with plenty of credits, as one of its keys sees it. */
  account(wishes?: Partial<Principal>): Promise<Principal>;
  close(): Promise<void>;
}

/** A migrated database of its own for one test file, as the one of this process: call it before any verb. */
export async function openDomainDatabase(): Promise<DomainDatabase> {
  const database = await createTestDatabase();
  const pool = once("postgres", () => new pg.Pool({ connectionString: database.url, max: 20 }));
  once("postgres.engine", () => pool);
  // `drop` cuts what is still connected.
  pool.on("error", () => {});
  return {
    pool,
    async account(wishes = {}) {
      const { accountId, userId } = await createAccount({ email: `${newId()}@example.test`, password: null, credits: 100_000 });
      const rights = { isAdmin: false, blocked: false, superAgentAccess: false, writePerHour: 100_000 };
      return { accountId, userId, agentId: null, via: "key", ...rights, ...wishes };
    },
    async close() {
      await pool.end();
      await database.drop();
    },
  };
}

/** Has this process answer runs of `model.id` by this model. */
export function injectModel(model: ResolvedModel): void {
  once("language-models", () => new Map<string, ResolvedModel>()).set(model.id, model);
}
