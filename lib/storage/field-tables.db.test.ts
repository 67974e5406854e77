import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AGENT_FIELDS, KEPT_AGENT_KEYS } from "@/lib/model/agent/agent-fields";
import { CONVERSATION_FIELDS } from "@/lib/model/conversation/conversation-fields";
import { ENDPOINT_FIELDS } from "@/lib/model/events/endpoint-fields";
import { type FieldTable, toSnakeCase } from "@/lib/model/fields/field-table";
import { RUN_FIELDS } from "@/lib/model/run/run-fields";
import { FIRING_FIELDS } from "@/lib/model/schedule/firing-fields";
import { SCHEDULE_FIELDS } from "@/lib/model/schedule/schedule-fields";
import { WORKSPACE_FIELDS } from "@/lib/model/workspace/workspace-fields";
import { createTestDatabase } from "@/lib/storage/test-database";

/** Nouns whose columns, views and bodies are made of a table of fields. */
const NOUNS: Record<string, FieldTable> = {
  agents: AGENT_FIELDS,
  conversations: CONVERSATION_FIELDS,
  runs: RUN_FIELDS,
  schedule_firings: FIRING_FIELDS,
  schedules: SCHEDULE_FIELDS,
  webhook_endpoints: ENDPOINT_FIELDS,
  workspaces: WORKSPACE_FIELDS,
};

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

test.each(Object.keys(NOUNS))(
  "each column of %s is a field of its table, of the same type, and each field a column",
  async (name) => {
    const { rows } = await client.query<{ column: string; says: string }>(
      // Prisma leaves a list's column nullable, and writes a list there always.
      `SELECT attname AS column, format_type(atttypid, NULL) ||
         CASE WHEN attnotnull OR format_type(atttypid, NULL) LIKE '%[]' THEN ''
         ELSE ' or null' END AS says
       FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped
       ORDER BY attname`,
      [name],
    );
    const fields = Object.entries(NOUNS[name] ?? {}).flatMap(([key, { stored }]) =>
      stored.type === null
        ? []
        : [[toSnakeCase(key), `${stored.type}${stored.nullable ? " or null" : ""}`]],
    );
    expect(Object.fromEntries(fields)).toEqual(
      Object.fromEntries(rows.map(({ column, says }) => [column, says])),
    );
  },
);

test("a version of an agent has a column for all that it keeps, of its type", async () => {
  const { rows } = await client.query<{ column: string }>(
    `SELECT a.attname AS column FROM pg_attribute a JOIN pg_attribute v
     USING (attname, atttypid, attnotnull)
     WHERE a.attrelid = 'agents'::regclass AND v.attrelid = 'agent_versions'::regclass`,
  );
  const columns = new Set(rows.map(({ column }) => column));
  expect(KEPT_AGENT_KEYS.map(toSnakeCase).filter((column) => !columns.has(column))).toEqual([]);
});
