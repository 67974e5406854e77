import "./setup/on-supported-node.mjs";

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startDisposablePostgres } from "./postgres/embedded-postgres.mjs";
import { migrate } from "./postgres/migrate.mjs";
import { generateCalls } from "./postgres/sql-calls.mjs";
import { dumpSchema } from "./postgres/sql-dump.mjs";
import { prepare } from "./setup/prepare.mjs";
import { print } from "./setup/progress.mjs";
import { runScript } from "./setup/run-script.mjs";

/**
 * `npm run db:schema`: writes what is made of the migrated database: prisma/schema.sql to read, and
 * lib/platform/sql-functions.ts, by which code calls its functions.
 */
await runScript(async (shutdown) => {
  const root = fileURLToPath(new URL("..", import.meta.url));
  await prepare({ root, build: false });
  const postgres = await startDisposablePostgres();
  shutdown.add(() => postgres.stop());
  try {
    await migrate(postgres.url, { root });
    const { default: pg } = await import("pg");
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    try {
      writeFileSync(join(root, "prisma/schema.sql"), await dumpSchema(client));
      writeFileSync(join(root, "lib/platform/sql-functions.ts"), await generateCalls(client, root));
      print("Wrote prisma/schema.sql and lib/platform/sql-functions.ts.");
    } finally {
      await client.end();
    }
  } finally {
    await shutdown.run();
  }
});
