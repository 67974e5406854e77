import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { oas31 } from "zod-openapi";
import { APP_OPERATIONS } from "@/lib/api/apps/operations";
import { openapiDocument } from "@/lib/api/openapi/document-text";
import { V1_OPERATIONS } from "@/lib/api/v1/operations";
import { CLIENT_POWERS } from "@/lib/model/client-token";
import { EVENT_TYPE_NAMES } from "@/lib/model/events/event-types";

// What the pages list of the API is all that there is of it: a new event, a new reason to wait, a
// new operation of the app path stands on the page about them.

const DOCS = fileURLToPath(new URL("../../docs", import.meta.url));
const SCHEMAS: Record<string, oas31.SchemaObject> = JSON.parse(
  JSON.stringify(openapiDocument([...V1_OPERATIONS, ...APP_OPERATIONS]).components?.schemas),
);

/**
 * The first cells of the table whose head begins with `head`, each with the names that it gives.
 */
function namesIn(page: string, head: string): string[] {
  const lines = readFileSync(join(DOCS, page), "utf8").split("\n");
  const from = lines.findIndex((line) => line.startsWith(`| ${head}`));
  if (from < 0) throw new Error(`${page} has no table of ${head}`);
  const rows = lines.slice(from + 2);
  const end = rows.findIndex((line) => !line.startsWith("|"));
  return rows.slice(0, end < 0 ? rows.length : end).flatMap((line) => {
    const [, cell = ""] = line.split("|");
    return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
  });
}

test("the page about streams says of each line that a run's stream may have what it is", () => {
  const types = Object.keys(SCHEMAS.RunEvent?.discriminator?.mapping ?? {});
  expect(types.length).toBeGreaterThan(20);
  expect(namesIn("streaming.md", "`type`").sort()).toEqual(types.sort());
});

test("the page about webhooks says of each type of event when it comes", () => {
  expect(namesIn("webhooks.md", "Type").sort()).toEqual([...EVENT_TYPE_NAMES].sort());
});

test("the page of concepts says of each reason to wait how a run goes on", () => {
  const waits = JSON.stringify(SCHEMAS.Run?.properties?.requires_action);
  const types = [...waits.matchAll(/"const":"([a-z_]+)"/g)].map(([, type]) => type);
  expect(types.length).toBeGreaterThan(4);
  expect(namesIn("concepts.md", "`type`").sort()).toEqual([...new Set(types)].sort());
});

/** `GET /runs/{runId}`, of each operation below the app. */
const APP_ROUTES = APP_OPERATIONS.map(
  ({ method, path }) => `${method} ${path.replace("/api/v1/apps/{appId}", "")}`,
).sort();

test("the page about app keys lists each operation of the app path", () => {
  expect(namesIn("app-keys.md", "Of the app path").sort()).toEqual(APP_ROUTES);
});

test("the page about client tokens lists each operation of a token, by its power", () => {
  // A limit is raised by whoever pays.
  const routes = APP_ROUTES.filter((route) => !route.startsWith("PATCH "));
  expect(namesIn("client-tokens.md", "Of the app path").sort()).toEqual(routes);
  const text = readFileSync(join(DOCS, "client-tokens.md"), "utf8");
  for (const power of CLIENT_POWERS) expect(text).toContain(`| \`${power}\``);
});
