import "./setup/on-supported-node.mjs";

import { fileURLToPath } from "node:url";
import { deployDatabase, openDatabase, readEnvironmentFile } from "./setup/open-database.mjs";
import { requirePackages } from "./setup/packages.mjs";
import { prepare } from "./setup/prepare.mjs";
import { print } from "./setup/progress.mjs";
import { runScript } from "./setup/run-script.mjs";

/**
 * `npm run db:deploy`: brings the database of DATABASE_URL, or else the embedded one, to the schema
 * of this version, as a start does.
 */
await runScript(async (shutdown) => {
  const root = fileURLToPath(new URL("..", import.meta.url));
  readEnvironmentFile(root);
  if (process.env.NODE_ENV === "production") requirePackages(root);
  else await prepare({ root, build: false });
  const url = process.env.DATABASE_URL;
  if (url) {
    // Without a data folder: a job before the first start has none.
    await deployDatabase(url, root);
  } else {
    const database = await openDatabase(root);
    shutdown.add(() => database.stop());
  }
  print("The database has the schema of this version.");
  await shutdown.run();
  process.exit(0);
});
