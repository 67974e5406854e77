import { existsSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "prisma/config";

const environmentFile = join(import.meta.dirname, ".env");
if (existsSync(environmentFile)) process.loadEnvFile(environmentFile);

// The engine of `prisma migrate` as the package that is installed anyway: Prisma's commands would
// download a native one, and `generate` ask for its path.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ||= join(
  import.meta.dirname,
  "scripts/postgres/schema-engine-process.mjs",
);

export default defineConfig({
  schema: "prisma/schema",
  migrations: { path: "prisma/migrations" },
  // `generate` and `validate` need none.
  datasource: { url: process.env.DATABASE_URL ?? "" },
});
