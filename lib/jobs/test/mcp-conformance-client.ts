import { readFileSync } from "node:fs";
import { z } from "zod";
import { createAccount } from "@/lib/domain/account/create-account";
import { beginSignIn } from "@/lib/domain/connections/begin-sign-in";
import { finishSignIn } from "@/lib/domain/connections/finish-sign-in";
import { listServers } from "@/lib/domain/execution/tools/list-servers";
import { connectorPort } from "@/lib/domain/execution/tools/run-tools";
import { type Principal, systemPrincipal } from "@/lib/domain/principal";
import { env } from "@/lib/env";
import type { McpServer } from "@/lib/model/agent-config/effective-config";
import { isJsonObject, type JsonObject } from "@/lib/model/json-schema/json-value";
import { newId } from "@/lib/platform/ids";
import { postgres } from "@/lib/platform/postgres";
import { executeTool, type ToolContext } from "@/lib/runtime/tools/tool";

/**
 * This service's client as the official conformance suite wants one (`npm run test:mcp`): a program
 * that is given a server's address, signs in where it must, lists the tools and calls them. All of
 * it is the service's own code on a database of its own; only the person who signs in, and the run
 * that calls, are played here.
 */
const contextSchema = z
  .looseObject({
    client_id: z.string().optional(),
    client_secret: z.string().optional(),
    toolCalls: z
      .array(z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }))
      .optional(),
  })
  .catch({});

const LISTENING = "0A";
/** Sign-ins of one run of a scenario: a server that is never content is not asked for ever. */
const SIGN_INS_MAX = 3;

const url = process.argv.at(-1) ?? "";
const context = contextSchema.parse(JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}"));
const { signal } = new AbortController();

// The suite listens at ports that nobody knows before.
env().EGRESS_ALLOW.push(
  ...listeningPorts().flatMap((port) => [`localhost:${port}`, `127.0.0.1:${port}`]),
);

/** The ports of this machine on which somebody listens, by Linux's own tables. */
function listeningPorts(): number[] {
  const rows = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((table) =>
    readFileSync(table, "utf8").trim().split("\n").slice(1),
  );
  const ports = rows.flatMap((row) => {
    const [, local = "", , state] = row.trim().split(/\s+/);
    return state === LISTENING ? [Number.parseInt(local.split(":")[1] ?? "", 16)] : [];
  });
  return [...new Set(ports)];
}

/** Begins a sign-in, does what the person's browser would, and comes back with what it was sent. */
async function signIn(owner: Principal, scopes: string[] | null): Promise<void> {
  const { client_id: id, client_secret: secret = null } = context;
  const client = id === undefined ? null : { id, secret };
  const begun = await beginSignIn(owner, { serverUrl: url, client, scopes });
  const response = await fetch(begun.authorizationUrl, { redirect: "manual" });
  const location = response.headers.get("location");
  if (location === null) throw new Error(`There was no way back: ${await response.text()}`);
  const said = new URL(location).searchParams;
  const outcome = await finishSignIn(owner, {
    state: said.get("state") ?? "",
    code: said.get("code"),
    error: said.get("error"),
    errorDescription: said.get("error_description"),
    issuer: said.get("iss"),
  });
  if (outcome === "connected") return;
  const { rows } = await postgres().query<{ last_error: string }>(
    "SELECT last_error FROM mcp_connections WHERE account_id = $1",
    [owner.accountId],
  );
  throw new Error(`The sign-in was ${outcome}: ${rows[0]?.last_error}`);
}

/** The scopes that a refusal names, beside those that were given: what its owner signs in with. */
async function scopesAfter(owner: Principal, refusal: string): Promise<string[] | null> {
  const [, asked] = refusal.split("it asks for ");
  const named = asked?.split(". Its owner")[0]?.split(" ");
  if (!named) return null;
  const { rows } = await postgres().query<{ scopes: string[] | null }>(
    "SELECT scopes FROM mcp_connections WHERE account_id = $1",
    [owner.accountId],
  );
  return [...new Set([...(rows[0]?.scopes ?? []), ...named])];
}

const SAMPLES: Record<string, unknown> = { string: "text", integer: 7, number: 7, boolean: true };

/** Something that fits each argument of a tool, as a model would give it. */
function argumentsFor({ properties }: JsonObject): Record<string, unknown> {
  const named = isJsonObject(properties) ? Object.entries(properties) : [];
  return Object.fromEntries(
    named.map(([name, schema]) => [
      name,
      isJsonObject(schema) && typeof schema.type === "string" ? (SAMPLES[schema.type] ?? {}) : {},
    ]),
  );
}

/** A null where the schema takes none is refused before it is sent; a model then leaves it out. */
function withoutNulls(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

async function main(): Promise<void> {
  const { accountId } = await createAccount({
    email: `${newId()}@example.test`,
    password: null,
    credits: 0,
  });
  const owner = systemPrincipal(accountId);
  const port = connectorPort({ accountId, endUser: null });
  const server: McpServer = { name: "suite", url, tools: null, read_only: [] };
  let signIns = 0;
  const withSignIn = async <T>(work: () => Promise<{ refusal: string | null; value: T }>) => {
    for (;;) {
      const { refusal, value } = await work();
      const isUnsigned = /\b401\b|sign-in|sign in/i.test(refusal ?? "");
      if (refusal === null) return value;
      if (!isUnsigned || ++signIns > SIGN_INS_MAX) throw new Error(refusal);
      await signIn(owner, await scopesAfter(owner, refusal));
      server.auth = "oauth";
    }
  };
  const tools = await withSignIn(async () => {
    const run = { accountId, endUser: null, secrets: [] };
    const listed = await listServers(run, [server], port, signal, { fresh: true });
    return { refusal: listed.unavailable[0]?.reason ?? null, value: listed.tools };
  });
  const calls =
    context.toolCalls ??
    tools.map(({ name, inputSchema }) => ({
      name: name.slice("suite__".length),
      arguments: argumentsFor(inputSchema),
    }));
  for (const call of calls) {
    const tool = tools.find(({ name }) => name === `suite__${call.name}`);
    if (!tool) continue;
    await withSignIn(async () => {
      const listed = tools.find(({ name }) => name === tool.name);
      if (!listed) throw new Error(`There is no tool ${tool.name}.`);
      // A tool of an MCP server uses nothing else of it.
      const toolContext = { runId: newId(), toolCallId: newId(), signal } as ToolContext;
      const outcome = await executeTool(listed, withoutNulls(call.arguments), toolContext);
      const said = JSON.stringify(outcome.output);
      process.stdout.write(`${tool.name}: ${said}\n`);
      return { refusal: /sign in to it again/.test(said) ? said : null, value: null };
    });
  }
}

await main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  },
);
