import type { Run } from "@/lib/client/schemas";
import type { ApiClient } from "../support/api-client";
import { PAGE_TEXT, test, type World } from "../support/every-tool-service";
import { type ScriptTurn, textOfMessages, toolResultOf } from "../support/model-script";
import { startRun, waitForRun } from "../support/runs";
import { signInByHttp } from "../support/sessions";
import { expect } from "../support/test";
import { until } from "../support/until";

// Every tool and every kind of connector once, by a scripted model over HTTP, against real servers.
// What is listed anywhere and has no case here fails by name.
test.describe.configure({ mode: "default" });

type Call = NonNullable<ScriptTurn["tool_calls"]>[number];
const END = { text: "Done." };

interface ToolCase {
  args: (world: World) => Record<string, unknown>;
  fill?: boolean;
  /** In what the model is told. */
  told: string;
}

const TOOLS: Record<string, ToolCase> = {
  files_read: { args: () => ({ path: "tides.csv" }), told: "noon,4" },
  files_search: { args: () => ({ query: "noon" }), told: "noon,4" },
  files_write: { args: () => ({ path: "run:n.txt", content: "high" }), told: "run:n.txt" },
  files_edit: { args: () => ({ path: "run:m.csv", copy_from: "tides.csv" }), told: "run:m.csv" },
  web_fetch: { args: ({ pageUrl }) => ({ url: pageUrl }), told: PAGE_TEXT },
  web_search: { args: () => ({ query: "tides" }), told: "High at noon." },
  run_javascript: { args: () => ({ code: "return 6 * 7;" }), told: "42" },
  run_python: { args: () => ({ code: "6 * 7" }), told: "42" },
  todo: { args: () => ({}), fill: true, told: "" },
  artifacts: {
    args: () => ({ title: "Tides", name: "tides.md", type: "text/markdown", content: "# Tides" }),
    fill: true,
    told: "tides.md",
  },
  image: { args: () => ({ title: "Tide", prompt: "A tide" }), told: "png" },
  speech: { args: () => ({ title: "Tide", text: "The tide is high." }), told: "mp3" },
  video: { args: () => ({ title: "Tide", prompt: "It rises.", seconds: 3 }), told: "mp4" },
  memory: { args: () => ({ action: "save", text: "Likes tides." }), told: "" },
  read_skill: { args: () => ({ name: "tide-reading" }), told: "Read the table from the top." },
};

/** What a run of the super-agent has beside them. */
const SUPER_TOOLS = [
  "list_agents",
  "read_agent",
  "create_agent",
  "edit_agent",
  "run_agent",
  "read_run",
];

async function run(api: ApiClient, body: Record<string, unknown>): Promise<Run> {
  return waitForRun(api, (await startRun(api, body)).run_id);
}

test("each tool that a run is shown has a case here, and does its work", async ({
  account: { api },
  newAgent,
  world,
  script,
}) => {
  await api.post("/v1/skills", {
    content:
      "---\nname: tide-reading\ndescription: Reads tides.\n---\n\nRead the table from the top.",
  });
  const { workspace_id } = (await api.post("/v1/workspaces", { name: "tides" })).as("Workspace");
  await api.post(`/v1/workspaces/${workspace_id}/files`, undefined, {
    raw: "time,height\nnoon,4\n",
    query: { path: "tides.csv" },
  });
  const schema = (await api.get("/v1/schemas/agent-config.json")).json() as PublishedConfig;
  const listed = schema.properties.tools.properties.builtin?.items?.enum ?? ["missing"];
  // The first is no tool, and stands for four; the second waits for a person: messages.spec.ts.
  const elsewhere = ["workspace_files", "ask_user"];
  const builtin = listed.filter((name) => !elsewhere.includes(name));
  const agent = await newAgent({ config: { tools: { builtin, memory: true } } }, api);
  const stored = world.s3.countObjects();
  for (const [name, { args, fill, told }] of Object.entries(TOOLS))
    await test.step(name, async () => {
      const call: Call = { name, args: args(world), ...(fill && { fill }) };
      const one = await script({ tool_calls: [call] }, END);
      const body = {
        agent_id: agent.agent_id,
        workspace_id,
        input: { text: `${one.mark} ${world.pageUrl}` },
      };
      const ended = await run(api, body);
      expect(ended).toMatchObject({ status: "completed", result: { text: END.text } });
      const calls = await one.calls();
      expect(toolResultOf(calls.at(-1))).toContain(told);
      expect(JSON.parse(toolResultOf(calls.at(-1)))).not.toHaveProperty("error");
      expect(calls[0]?.body.tools?.map((tool) => tool.function.name).sort()).toEqual(
        Object.keys(TOOLS).sort(),
      );
    });
  // The workspace's file was there before; the artifact went to the S3 too.
  expect(world.s3.countObjects()).toBeGreaterThan(stored);
  expect(Object.keys(TOOLS)).toEqual(expect.arrayContaining(builtin));
});

interface PublishedConfig {
  properties: {
    tools: {
      properties: Record<
        string,
        { items?: { enum?: string[]; properties?: Record<string, { const?: string }> } }
      >;
    };
  };
}

test("each tool of the super-agent does its work", async ({
  account: { api },
  newAgent,
  script,
}) => {
  const agent = await newAgent({ name: "Reporter" }, api);
  const child = await script({ text: "the report", hold_first: true });
  const built = {
    name: "Fresh",
    description: "x",
    skill_content: "Work.",
    config: { version: 1 },
    write_autonomy: "full_auto",
  };
  const making = await script({ tool_calls: [{ name: "create_agent", args: built }] });
  const changing = await script({
    tool_calls: [{ name: "edit_agent", args: { name: "Renamed", summary: "x" } }],
  });
  const args: Record<string, Record<string, unknown>> = {
    list_agents: {},
    read_agent: { agent_id: agent.agent_id },
    create_agent: { request: making.mark },
    edit_agent: { agent_id: agent.agent_id, request: changing.mark },
    run_agent: { agent_id: agent.agent_id, input: { text: child.mark } },
  };
  const one = await script(
    ...Object.entries(args).map(([name, given]) => ({ tool_calls: [{ name, args: given }] })),
    END,
  );
  const { run_id } = (await api.post("/v1/super-agent/runs", { input: { text: one.mark } })).as(
    "Run",
  );
  await child.waitForCalls(1);
  // Only a run that it has started itself is read to it, and its id is known by now.
  const started = (
    await api.get("/v1/runs", { query: { agent_id: agent.agent_id, status: "running" } })
  ).as("RunPage").data[0];
  await one.replace([
    { tool_calls: [{ name: "read_run", args: { run_id: started?.run_id } }] },
    END,
  ]);
  await child.release();
  await until(
    "the super-agent's end",
    async () => (await api.get(`/v1/super-agent/runs/${run_id}`)).as("Run").completed_at,
  );
  const calls = await one.calls();
  const shown = calls[0]?.body.tools?.map((tool) => tool.function.name) ?? [];
  expect(shown.filter((name) => !(name in TOOLS)).sort()).toEqual([...SUPER_TOOLS].sort());
  const told = calls.slice(1).map(toolResultOf);
  for (const [index, words] of [
    "Reporter",
    "Reporter",
    "Fresh",
    "Renamed",
    "the report",
    "the report",
  ].entries())
    expect(told[index], SUPER_TOOLS[index]).toContain(words);
  expect(told).toHaveLength(SUPER_TOOLS.length);
});

/** Each kind of connector by its place in a config; `mcp` in each way that it signs in. */
const CONNECTORS = ["http", "mcp", "mcp auth oauth", "client"];

test("each kind of connector that a config can have has a case here", async ({
  account: { api },
}) => {
  const schema = (await api.get("/v1/schemas/agent-config.json")).json() as PublishedConfig;
  const {
    // A run of its own: lib/jobs/agents-in-agents.db.test.ts.
    agents: _agents,
    builtin: _builtin,
    code: _code,
    memory: _memory,
    // Where run_python computes: vendor-models.spec.ts.
    python: _python,
    web: _web,
    ...kinds
  } = schema.properties.tools.properties;
  const ways = Object.entries(kinds).flatMap(([kind, { items }]) => {
    const auth = items?.properties?.auth?.const;
    return auth === undefined ? [kind] : [kind, `${kind} auth ${auth}`];
  });
  expect(ways.sort()).toEqual([...CONNECTORS].sort());
});

test("an http tool, a plain MCP server and a client tool do their work in one run", async ({
  account: { api },
  newAgent,
  inbox,
  world,
  script,
}) => {
  await inbox.answerWith([
    { status: 200, headers: { "content-type": "application/json" }, body: '{"ticket":4711}' },
  ]);
  const tools = {
    http: [
      { name: "create_ticket", method: "POST", url: inbox.url, input_schema: { type: "object" } },
    ],
    mcp: [{ name: "tickets", url: world.tickets.plainUrl }],
    client: [{ name: "find_order", description: "Finds an order.", input_schema: {} }],
  };
  const agent = await newAgent({ config: { tools } }, api);
  const one = await script(
    { tool_calls: [{ name: "create_ticket", args: { title: "Lamp" } }] },
    { tool_calls: [{ name: "tickets__read_ticket", args: { id: 7 } }] },
    { tool_calls: [{ name: "find_order", args: {}, id: "call_order" }] },
    END,
  );
  const { run_id } = await startRun(api, { agent_id: agent.agent_id, input: { text: one.mark } });
  await until(
    "the client's call",
    async () => (await api.get(`/v1/runs/${run_id}`)).as("Run").requires_action,
  );
  await api.post(`/v1/runs/${run_id}/tool-results`, {
    results: [{ tool_call_id: "call_order", output: "shipped" }],
  });
  expect((await waitForRun(api, run_id)).status).toBe("completed");
  const told = (await one.calls()).slice(1).map(toolResultOf);
  for (const [index, words] of ["4711", "Ticket 7 is open.", "shipped"].entries())
    expect(told[index]).toContain(words);
});

/**
 * Signs in for a connection as a person does: to the server, and back to the console with the
 * session's cookie. @returns where the console leads
 */
async function signIn(
  { api, email, password }: { api: ApiClient; email: string; password: string },
  world: World,
): Promise<string> {
  const cookie = await signInByHttp(world.baseUrl, { email, password });
  const begun = (await api.post("/v1/connections", { server_url: world.tickets.serverUrl })).as(
    "ConnectionSignIn",
  );
  const back = await world.tickets.signIn(begun.authorization_url);
  expect(back.origin + back.pathname).toBe(`${world.baseUrl}/api/console/connections/callback`);
  const answer = await fetch(back, { headers: { cookie }, redirect: "manual" });
  expect(answer.status).toBe(303);
  return answer.headers.get("location") ?? "";
}

test("an MCP server behind OAuth is used, renewed, and missing without a sign-in", async ({
  world,
  newAgent,
  script,
}) => {
  const owner = await world.newAccount({ credits: 100_000 });
  const { api } = owner;
  const agent = await newAgent(
    {
      config: {
        tools: { mcp: [{ name: "tickets", url: world.tickets.serverUrl, auth: "oauth" }] },
      },
    },
    api,
  );
  const use = async () => {
    const one = await script(
      { tool_calls: [{ name: "tickets__read_ticket", args: { id: 7 } }] },
      { tool_calls: [{ name: "tickets__echo", args: {} }] },
      END,
    );
    const ended = await run(api, { agent_id: agent.agent_id, input: { text: one.mark } });
    const events = (
      await api.get(`/v1/runs/${ended.run_id}/events?limit=100`, {
        headers: { accept: "application/json" },
      })
    ).text;
    const trace = (await api.get(`/v1/runs/${ended.run_id}/trace`)).text;
    const calls = await one.calls();
    for (const token of world.tickets.seen.tokens)
      expect([JSON.stringify(calls), events, trace, ended].join()).not.toContain(token);
    return { told: calls.slice(1).map(toolResultOf), system: textOfMessages(calls[0]), events };
  };
  const whereTo = `${world.baseUrl}/connections`;
  const before = await use();
  for (const said of [before.system, before.events])
    expect(said).toContain(`is missing: its owner must sign in, at ${whereTo}`);
  expect(before.events).toContain("connector.unavailable");

  expect(await signIn(owner, world)).toBe(`${whereTo}?sign-in=connected`);
  const signedIn = await use();
  expect(signedIn.told[0]).toContain("Ticket 7 is open.");
  expect(signedIn.told[1]).toContain("You sent Bearer [redacted].");
  expect(signedIn.events).not.toContain("connector.unavailable");

  const renewals = world.tickets.seen.renewals;
  world.tickets.endAccess();
  expect((await use()).told[0]).toContain("Ticket 7 is open.");
  expect(world.tickets.seen.renewals).toBe(renewals + 1);

  world.tickets.endAccess();
  world.tickets.endGrants();
  expect((await use()).told[0]).toContain(`has ended: its owner must sign in again, at ${whereTo}`);
  const [connection] = (await api.get("/v1/connections")).as("ConnectionPage").data;
  expect(connection).toMatchObject({
    status: "needs_sign_in",
    last_error: expect.stringContaining("invalid_grant"),
  });
  expect((await use()).events).toContain("connector.unavailable");

  expect(await signIn(owner, world)).toBe(`${whereTo}?sign-in=connected`);
  expect((await use()).told[0]).toContain("Ticket 7 is open.");
  expect((await api.delete(`/v1/connections/${connection?.connection_id}`)).status).toBe(204);
  expect(world.tickets.seen.revoked.at(-1)).toMatch(/^refresh-/);
  expect((await use()).system).toContain("is missing: its owner must sign in");
});

test("an answer to a sign-in counts once, for the account and session that began it", async ({
  world,
}) => {
  const [owner, stranger] = [await world.newAccount(), await world.newAccount()];
  const begun = (
    await owner.api.post("/v1/connections", { server_url: world.tickets.serverUrl })
  ).as("ConnectionSignIn");
  const back = await world.tickets.signIn(begun.authorization_url);
  const bring = async (cookie: string, to = back) =>
    (await fetch(to, { headers: { cookie }, redirect: "manual" })).headers.get("location");
  expect(await bring("")).toMatch(/sign-in=signed-out$/);
  expect(await bring(await signInByHttp(world.baseUrl, stranger))).toMatch(/sign-in=unknown$/);
  const own = await signInByHttp(world.baseUrl, owner);
  expect(await bring(own, new URL(`${back.origin}${back.pathname}?code=x`))).toMatch(
    /sign-in=unknown$/,
  );
  expect(await bring(own)).toMatch(/sign-in=connected$/);
  expect(await bring(own)).toMatch(/sign-in=unknown$/);
  world.tickets.settings.refuses = true;
  const again = (
    await owner.api.post("/v1/connections", { server_url: world.tickets.serverUrl })
  ).as("ConnectionSignIn");
  expect(await bring(own, await world.tickets.signIn(again.authorization_url))).toMatch(
    /sign-in=refused$/,
  );
  world.tickets.settings.refuses = false;
  const [connection] = (await owner.api.get("/v1/connections")).as("ConnectionPage").data;
  expect(connection).toMatchObject({
    status: "connected",
    last_error: expect.stringContaining("Access was refused"),
  });
  expect((await stranger.api.get("/v1/connections")).as("ConnectionPage").data).toEqual([]);
});
