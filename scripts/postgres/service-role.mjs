import { createHmac } from "node:crypto";
import { SetupError } from "../setup/setup-error.mjs";
import { beginSetup } from "./migrate.mjs";

/** The role of the embedded PostgreSQL that the service works under. */
const EMBEDDED_ROLE = "lathe_service";

/**
 * The address by which the service itself works in the embedded PostgreSQL: as a role that reads
 * and writes rows and does nothing else, so that a hole in a statement is no hole in the machine.
 * Its password is made of the owner's, from which it does not lead back.
 * @param {string} ownerUrl
 */
export async function embeddedServiceUrl(ownerUrl) {
  const url = new URL(ownerUrl);
  url.password = createHmac("sha256", decodeURIComponent(url.password))
    .update("service role")
    .digest("base64url");
  url.username = EMBEDDED_ROLE;
  await grantServiceRole(ownerUrl, url.href);
  return url.href;
}

/**
 * Lets the role of `serviceUrl` read and write the rows of the owner's database, and nothing else:
 * no tables, functions or triggers made, changed or removed, no files, no programs. Makes the role
 * where it is missing and the owner may. Changes nothing where all of it is so; several at once
 * take turns.
 * @param {string} ownerUrl
 * @param {string} serviceUrl
 * @throws SetupError
 */
export async function grantServiceRole(ownerUrl, serviceUrl) {
  const { username, password } = new URL(serviceUrl);
  const role = { name: decodeURIComponent(username), password: decodeURIComponent(password) };
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: ownerUrl });
  client.on("error", () => {});
  await client.connect().catch((error) => {
    throw new SetupError(
      `The database cannot be reached as its owner (${error.code ?? error.message}); check ` +
        "DATABASE_OWNER_URL.",
    );
  });
  try {
    await requireLesserRole(client, role.name);
    if ((await isMissing(client, role.name)) || (await lacksRights(client, role.name)))
      await grant(client, role);
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * @param {import("pg").Client} client
 * @param {string} name
 */
async function requireLesserRole(client, name) {
  const { rows } = await client.query(
    `SELECT current_user = $1 AS same,
       coalesce((SELECT rolsuper FROM pg_roles WHERE rolname = $1), false) AS super`,
    [name],
  );
  if (rows[0].same)
    throw new SetupError(
      "DATABASE_URL and DATABASE_OWNER_URL name the same role; give the service one of its own.",
    );
  if (rows[0].super)
    throw new SetupError(
      `The role ${name} of DATABASE_URL is a superuser, whom nothing can be withheld from; give ` +
        "the service another one.",
    );
}

/**
 * @param {import("pg").Client} client
 * @param {string} name
 */
async function isMissing(client, name) {
  const { rowCount } = await client.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [name]);
  return rowCount === 0;
}

/**
 * `_prisma_migrations` says which version the database is of: a start reads it, and only migrations
 * write it.
 */
const LACKS = `
SELECT EXISTS (
  SELECT 1 FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace
    AND c.relkind IN ('r', 'p', 'v')
    AND NOT CASE WHEN c.relname = '_prisma_migrations' THEN has_table_privilege($1, c.oid, 'SELECT')
      ELSE has_table_privilege($1, c.oid, 'SELECT') AND has_table_privilege($1, c.oid, 'INSERT')
        AND has_table_privilege($1, c.oid, 'UPDATE')
        AND has_table_privilege($1, c.oid, 'DELETE') END
) OR EXISTS (
  SELECT 1 FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'S'
    AND NOT (has_sequence_privilege($1, c.oid, 'USAGE')
        AND has_sequence_privilege($1, c.oid, 'UPDATE'))
) OR EXISTS (
  SELECT 1 FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
    AND NOT has_function_privilege($1, p.oid, 'EXECUTE')
) OR NOT has_schema_privilege($1, 'public', 'USAGE') OR NOT has_database_privilege($1,
  current_database(), 'CONNECT')
  OR NOT has_database_privilege($1, current_database(), 'TEMPORARY') AS lacks`;

/**
 * @param {import("pg").Client} client
 * @param {string} name
 */
async function lacksRights(client, name) {
  return (await client.query(LACKS, [name])).rows[0].lacks;
}

/**
 * @param {import("pg").Client} client
 * @param {{ name: string, password: string }} role
 */
async function grant(client, { name, password }) {
  const to = client.escapeIdentifier(name);
  const { rows } = await client.query("SELECT quote_ident(current_database()) AS database");
  // In turn with whoever else sets the database up: rights of one table that two change at once are
  // refused by PostgreSQL.
  await beginSetup(client);
  try {
    if (await isMissing(client, name))
      await client.query(`CREATE ROLE ${to} LOGIN PASSWORD ${client.escapeLiteral(password)}`);
    await client.query(`
      GRANT CONNECT, TEMPORARY ON DATABASE ${rows[0].database} TO ${to};
      GRANT USAGE ON SCHEMA public TO ${to};
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${to};
      GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA public TO ${to};
      GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO ${to};
      REVOKE INSERT, UPDATE, DELETE ON _prisma_migrations FROM ${to};
      REVOKE CREATE ON SCHEMA public FROM PUBLIC, ${to}`);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    const reason = error instanceof Error ? error.message : String(error);
    throw new SetupError(
      `The role ${name} cannot be made or given its rights by the role of DATABASE_OWNER_URL ` +
        `(${reason}); docs/self-hosting.md has the statements for whoever may.`,
    );
  }
}
