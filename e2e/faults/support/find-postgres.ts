import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

export interface PostgresProgram {
  /** Holds `bin/postgres` and `bin/initdb`. */
  folder: string;
  /** Who runs it, as options of a child process: PostgreSQL refuses to run as root. */
  user: { uid?: number; gid?: number };
}

/**
 * The PostgreSQL that the service brings along; its own scripts know where it lies and who may run
 * it.
 */
export function findPostgres(place: string): PostgresProgram {
  const program = `
    const { postgresUser } = await import("./scripts/postgres/user.mjs");
    const { postgresBinaries } = await import("./scripts/postgres/binaries.mjs");
    const user = postgresUser();
    console.log(JSON.stringify({ folder: postgresBinaries(user, () => [process.argv[1]]), user: \
user.spawn }));`;
  const answer = execFileSync(process.execPath, ["--input-type=module", "-e", program, place], {
    cwd: ROOT,
    encoding: "utf8",
  });
  return JSON.parse(answer) as PostgresProgram; // what the program above prints
}
