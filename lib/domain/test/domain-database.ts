import "server-only";
import pg from "pg";
import { giveRunWebhook } from "@/lib/api/schemas/run-webhook";
import { createAccount } from "@/lib/domain/account/create-account";
import { fileStore } from "@/lib/domain/blobs/stored-bytes";
import { languageModels } from "@/lib/domain/execution/turn/call-model";
import type { Principal } from "@/lib/domain/principal";
import { newId } from "@/lib/platform/ids";
import { enginePostgres, keyedReads, postgres, runReads } from "@/lib/platform/postgres";
import { TEST_VARIABLES } from "@/lib/platform/test/test-service";
import type { ResolvedModel } from "@/lib/runtime/models/stream-turn";
import {
  createService,
  holdService,
  runInService,
  type Service,
  type Variables,
} from "@/lib/service";
import type { FileStore } from "@/lib/storage/files/file-store";
import { createTestDatabase } from "@/lib/storage/test-database";

export interface DomainDatabase {
  pool: pg.Pool;
  /** What works on it: the current one, until `close`. */
  service: Service;
  /** A new account with plenty of credits, as one of its keys sees it. */
  account(options?: Partial<Principal>): Promise<Principal>;
  /** Closes the service, and drops the database. */
  close(): Promise<void>;
}

interface TestServiceOptions {
  /** What the service is set up by, beside its database. */
  env?: Variables;
  /** The models that answer runs, in place of those of their ids. */
  models?: readonly ResolvedModel[];
  files?: FileStore;
  /** Its connections; those of a role of its own, say. */
  pool?: (url: string) => pg.Pool | Promise<pg.Pool>;
}

/**
 * A migrated database of its own for one test file, and a service on it that is the current one
 * until it is closed: call it before any verb.
 */
export async function openDomainDatabase(
  options: TestServiceOptions = {},
): Promise<DomainDatabase> {
  const database = await createTestDatabase();
  const open = options.pool ?? ((connectionString) => new pg.Pool({ connectionString, max: 20 }));
  const pool = await open(database.url);
  const service = createService({
    ...TEST_VARIABLES,
    DATABASE_URL: database.url,
    ...options.env,
  });
  service.give(postgres, pool);
  service.give(enginePostgres, pool);
  service.give(keyedReads, pool);
  service.give(runReads, pool);
  runInService(service, giveRunWebhook);
  if (options.files) service.give(fileStore, options.files);
  const release = holdService(service);
  for (const model of options.models ?? []) injectModel(model);
  // `drop` cuts what is still connected.
  pool.on("error", () => {});
  return {
    pool,
    service,
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
      await service.close();
      release();
      await pool.end();
      await database.drop();
    },
  };
}

/** Has the current service answer runs of `model.id` by this model. */
export function injectModel(model: ResolvedModel): void {
  languageModels().set(model.id, model);
}
