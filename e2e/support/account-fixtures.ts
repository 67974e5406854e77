import { z } from "zod";
import type { TestAccount } from "./accounts";
import { admin } from "./admin";
import { waitingCall } from "./agents";
import { ApiClient, type ApiResponse } from "./api-client";
import { ModelScript, type ScriptTurn } from "./model-script";
import { startRun, waitForRun } from "./runs";
import { until } from "./until";
import type { WebhookInbox } from "./webhook-inbox";

/** The first of the three files of the run whose id the fixtures give, each a byte long. */
export const RUN_FILE = "kept.txt";

/** One object of every kind that an account can own, by the place in a path that its id takes. */
export interface AccountFixtures {
  account: TestAccount;
  /** The client with the app key of the account's agent. */
  app: ApiClient;
  /** The path up to and with the place → the id, such as `/v1/runs/{run_id}`. */
  ids: Record<string, string>;
  /** Ended conversations, one of each family. */
  conversations: { creation: string; agent: string; super_agent: string };
  /** A conversation of the agent whose run waits for a person, and so is busy. */
  busyConversation: string;
  /** That run, and the artifact that it has made. */
  busyRun: string;
  /** A run of the app path that waits for a person too. */
  busyAppRun: string;
  busyArtifact: string;
}

const AGENT_PATH = "/v1/agents/{agent_id}";
const WORKSPACE_PATH = "/v1/workspaces/{workspace_id}";
const APP_PATH = "/api/v1/apps/{appId}";
/** Ids of every kind are told apart only by their key. */
const idsShape = z.record(z.string(), z.unknown());

/**
 * Makes one object of every kind for an account on the super-agent's allowlist. About two seconds;
 * nothing of it moves any more afterwards.
 */
export async function createAccountFixtures(
  account: TestAccount,
  modelUrl: string,
  inbox: WebhookInbox,
): Promise<AccountFixtures> {
  const { api } = account;
  const agent = await importAgent(account, inbox);
  const { api_key } = await admin([
    "key",
    "create",
    "--email",
    account.email,
    "--agent",
    agent.agent_id,
  ]);
  const app = new ApiClient(api.baseUrl, String(api_key));
  api.ownAgent = agent.agent_id;
  const script = async (...turns: ScriptTurn[]) =>
    (await ModelScript.register(modelUrl, turns)).mark;
  const name = `S${Date.now()}_${process.pid}`;
  const path = `/v1/agents/${agent.agent_id}`;
  const edit = bodyOf(
    await api.post(`${path}/edits`, {
      input: await script({
        tool_calls: [{ name: "edit_agent", args: { name: "Edited", summary: "x" } }],
      }),
    }),
  );
  const schedule = bodyOf(
    await api.post(`${path}/schedules`, { cron: "0 0 1 1 *", enabled: false }),
  );
  const kase = bodyOf(
    await api.post(`${path}/cases`, {
      name: "Theirs",
      input: { text: "x" },
      checks: [{ type: "contains", value: "x" }],
    }),
  );
  const made = {
    name: "artifacts",
    args: { title: "Theirs", name: "theirs.md", type: "text/markdown", content: "x" },
    fill: true,
  };
  const kept = [RUN_FILE, "second.txt", "third.txt"].map((file) => ({
    name: "files_write",
    args: { path: `run:${file}`, content: "x" },
  }));
  const run = await startRun(api, {
    input: { text: await script({ tool_calls: [...kept, made] }, { text: "x" }) },
    webhook_url: inbox.url,
  });
  const noting = { name: "memory", args: { action: "save", text: "Likes figures." } };
  const noted = await startRun(api, {
    agent_id: agent.agent_id,
    input: { text: await script({ tool_calls: [noting] }, { text: "x" }) },
  });
  const person = `p-${name}`;
  bodyOf(await api.put(`/v1/end-users/${person}/limits`, { max_credits_per_day: 1_000 }));
  const superRun = bodyOf(
    await api.post("/v1/super-agent/runs", { input: { text: await script({ text: "x" }) } }),
  );
  const appRun = bodyOf(
    await app.post(`/api/v1/apps/${agent.agent_id}/runs`, {
      inputs: { text: await script({ text: "x" }) },
    }),
  );
  const workspace = bodyOf(await api.post("/v1/workspaces", { name: "theirs" }));
  const files = `/v1/workspaces/${workspace.workspace_id}/files`;
  const file = bodyOf(
    await api.post(files, undefined, {
      raw: "x",
      query: { path: "a.txt" },
      headers: { "content-type": "text/plain" },
    }),
  );
  await api.put(`/v1/workspaces/${workspace.workspace_id}/agents/${agent.agent_id}`);
  bodyOf(
    await api.post("/v1/secrets", {
      name,
      value: "a value that nobody else has",
      allowed_hosts: ["api.unknown.invalid"],
    }),
  );
  const connection = bodyOf(
    await api.post("/v1/connections", {
      server_url: `${process.env.E2E_OAUTH_MCP_URL}?of=${name}`,
    }),
  );
  const skill = bodyOf(
    await api.post("/v1/skills", {
      content: `---\nname: ${name.toLowerCase().replace("_", "-")}\ndescription: x\n---\nx`,
    }),
  );
  bodyOf(await api.put("/v1/product-profile", { name: "Theirs" }));
  // Of what none of these objects does.
  const endpoint = bodyOf(
    await api.post("/v1/webhook-endpoints", { url: inbox.url, events: ["schedule.failed"] }),
  );
  const waiting = await startRun(api, {
    agent_id: agent.agent_id,
    input: { text: await script({ tool_calls: [made, { name: "write_out", args: {} }] }) },
  });
  const waitingApp = bodyOf(
    await app.post(`/api/v1/apps/${agent.agent_id}/runs`, {
      inputs: { text: await script({ tool_calls: [{ name: "write_out", args: {} }] }) },
    }),
  );
  const ended = async (place: string) =>
    until(`the end of ${place}`, async () => bodyOf(await api.get(place)).completed_at);
  await ended(`/v1/runs/${noted.run_id}`);
  await ended(`/v1/runs/${edit.run_id}`);
  await ended(`/v1/runs/${appRun.runId}`);
  await ended(`/v1/super-agent/runs/${superRun.run_id}`);
  return {
    account,
    app,
    ids: {
      [AGENT_PATH]: agent.agent_id,
      [`${AGENT_PATH}/versions/{version_id}`]: agent.current_version_id,
      [`${AGENT_PATH}/edits/{run_id}`]: String(edit.run_id),
      [`${AGENT_PATH}/schedules/{schedule_id}`]: String(schedule.schedule_id),
      [`${AGENT_PATH}/memories/{memory_id}`]: await firstOf(api, `${path}/memories`, "memory_id"),
      [`${AGENT_PATH}/cases/{case_id}`]: String(kase.case_id),
      [`${AGENT_PATH}/remembered-approvals/{remembered_id}`]: await remember(api, agent.agent_id, {
        text: await script({ tool_calls: [{ name: "write_often", args: {} }] }, { text: "x" }),
      }),
      "/v1/conversations/{conversation_id}": String(run.conversation_id),
      "/v1/end-users/{end_user}": person,
      "/v1/runs/{run_id}": run.run_id,
      "/v1/artifacts/{artifact_id}": await artifactOf(api, run.run_id),
      "/v1/super-agent/runs/{run_id}": String(superRun.run_id),
      [WORKSPACE_PATH]: String(workspace.workspace_id),
      [`${WORKSPACE_PATH}/agents/{agent_id}`]: agent.agent_id,
      [`${WORKSPACE_PATH}/files/{file_id}`]: String(file.file_id),
      "/v1/secrets/{name}": name,
      "/v1/connections/{connection_id}": String(connection.connection_id),
      "/v1/templates/{name}": "table-questions",
      "/v1/skills/{skill_id}": String(skill.skill_id),
      "/v1/approvals/{approval_id}": await firstOf(
        api,
        `/v1/approvals?run_id=${waiting.run_id}`,
        "approval_id",
      ),
      "/v1/webhook-deliveries/{delivery_id}": await firstOf(
        api,
        `/v1/webhook-deliveries?run_id=${run.run_id}&status=delivered`,
        "delivery_id",
      ),
      "/v1/webhook-endpoints/{endpoint_id}": String(endpoint.endpoint_id),
      [APP_PATH]: agent.agent_id,
      [`${APP_PATH}/runs/{runId}`]: String(appRun.runId),
      [`${APP_PATH}/approvals/{approvalId}`]: await firstOf(
        app,
        `/api/v1/apps/${agent.agent_id}/approvals?runId=${waitingApp.runId}`,
        "approvalId",
      ),
    },
    conversations: {
      creation: String(edit.conversation_id),
      agent: String(run.conversation_id),
      super_agent: String(superRun.conversation_id),
    },
    busyConversation: String(waiting.conversation_id),
    busyRun: waiting.run_id,
    busyAppRun: String(waitingApp.runId),
    busyArtifact: await artifactOf(api, waiting.run_id),
  };
}

/**
 * Without a run, so that an account without credits can own one too. It asks before it writes to
 * the inbox.
 */
async function importAgent(
  { api }: TestAccount,
  inbox: WebhookInbox,
): Promise<{ agent_id: string; current_version_id: string }> {
  const http = [
    { name: "write_out", method: "POST", url: inbox.url, input_schema: { type: "object" } },
    { name: "write_often", method: "POST", url: inbox.url, input_schema: { type: "object" } },
  ];
  const document = {
    kind: "agent",
    format: 1,
    name: "Theirs",
    skill_content: "x",
    write_autonomy: "approval_required",
  };
  // JSON is YAML too.
  const raw = JSON.stringify({
    ...document,
    config: { version: 1, tools: { http, memory: true } },
  });
  const made = bodyOf(
    await api.post("/v1/agents/import", undefined, {
      raw,
      headers: { "content-type": "application/yaml" },
    }),
  );
  return { agent_id: String(made.agent_id), current_version_id: String(made.current_version_id) };
}

/** Has an agent ask no more for the tool that this run of it calls. */
async function remember(api: ApiClient, agentId: string, input: { text: string }): Promise<string> {
  const run = await startRun(api, { agent_id: agentId, input });
  const asked = await firstOf(api, `/v1/approvals?run_id=${run.run_id}`, "approval_id");
  bodyOf(await api.post(`/v1/approvals/${asked}/resolve`, { decision: "approve", remember: true }));
  const id = await firstOf(api, `/v1/agents/${agentId}/remembered-approvals`, "remembered_id");
  // Nothing of the account is at work when its tests begin, but for what waits.
  await waitForRun(api, run.run_id);
  return id;
}

function firstOf(api: ApiClient, path: string, id: string): Promise<string> {
  const page = z.looseObject({ data: z.array(idsShape) });
  return until(`a row of ${path}`, async () => {
    const row = (await api.get(path)).fitting(page).data[0];
    return row && String(row[id]);
  });
}

/** The file that a run has made, by its events: it need not have ended. */
function artifactOf(api: ApiClient, runId: string): Promise<string> {
  const page = z.looseObject({
    data: z.array(
      z.looseObject({ type: z.string(), artifact: z.looseObject({ id: z.string() }).optional() }),
    ),
  });
  return until(`the artifact of ${runId}`, async () => {
    const events = (
      await api.get(`/v1/runs/${runId}/events?limit=100`, {
        headers: { accept: "application/json" },
      })
    ).fitting(page).data;
    return events.find(({ type }) => type === "artifact.created")?.artifact?.id;
  });
}

/** The body of an answer that went well. */
function bodyOf(answer: ApiResponse): Record<string, unknown> {
  if (answer.status >= 300)
    throw new Error(`An object could not be made: ${answer.status} ${answer.text}`);
  return answer.fitting(idsShape);
}

/**
 * Puts one of everything that waits, was sent or is kept into an account, with long names; gives
 * the pages that show it.
 */
export async function seedAccount(
  api: ApiClient,
  modelUrl: string,
  inbox: WebhookInbox,
  mark: string,
): Promise<string[]> {
  await inbox.answerWith([{ status: 410, body: `${"x".repeat(200)}\n<b>gone</b>` }]);
  const run = await startRun(api, {
    input: { text: mark },
    should_notify: true,
    webhook_url: `${inbox.url}/${"long-".repeat(30)}`,
  });
  await waitForRun(api, run.run_id);
  const args = {
    title: "a".repeat(300),
    lines: Array.from({ length: 40 }, (_, index) => `line ${index}`),
  };
  const { approval } = await waitingCall({
    api,
    modelUrl,
    inbox,
    args,
    agent: { name: "An agent with a name that is quite long" },
  });
  await api.post("/v1/secrets", {
    name: "K".repeat(64),
    value: "x",
    description: "d".repeat(120),
    allowed_hosts: [`${"h".repeat(60)}.example.com`],
  });
  await api.post("/v1/connections", {
    server_url: `${process.env.E2E_OAUTH_MCP_URL}?${"long-".repeat(30)}`,
  });
  const person = "p".repeat(128);
  await api.put(`/v1/end-users/${person}/limits`, { max_credits_per_day: 1234.567891 });
  await api.post("/v1/secrets", {
    name: "K".repeat(64),
    end_user: person,
    value: "x",
    allowed_hosts: [`${"h".repeat(60)}.example.com`],
  });
  await api.post("/v1/connections", {
    server_url: `${process.env.E2E_OAUTH_MCP_URL}?${"long-".repeat(30)}`,
    end_user: person,
  });
  const content =
    `---\nname: ${"skill-".repeat(10)}x\ndescription: ${"word ".repeat(60)}\n---\n\n# Title\n\n` +
    `| a | b |\n| --- | --- |\n| ${"c".repeat(90)} | d |\n`;
  const { skill_id } = (await api.post("/v1/skills", { content })).as("Skill");
  const builtIn = (await api.get("/v1/skills", { query: { limit: 100 } }))
    .as("SkillPage")
    .data.find(({ source }) => source === "built_in");
  const delivery = await until("the delivery to have failed", async () => {
    const page = (
      await api.get("/v1/webhook-deliveries", { query: { status: "failed" } })
    ).json() as { data: { delivery_id: string }[] };
    return page.data[0];
  });
  return [
    "/approvals",
    "/approvals?status=rejected",
    `/approvals/${approval.approval_id}`,
    "/secrets",
    "/connections",
    "/end-users",
    `/end-users/person?name=${person}`,
    "/connect?sign_in=refused",
    "/skills",
    "/skills/new?example=true",
    `/skills/${skill_id}`,
    `/skills/${builtIn?.skill_id}`,
    "/webhooks",
    "/webhooks?tab=endpoints",
    "/webhooks?tab=signing",
    `/webhooks/${delivery.delivery_id}`,
    `/runs/${run.run_id}`,
    "/settings",
    "/settings/activity",
  ];
}
