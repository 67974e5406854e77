import type { TestAccount } from "../accounts";
import { admin } from "../admin";
import { createAgent } from "../agents";
import { ApiClient, type ApiResponse } from "../api-client";
import { ModelScript } from "../model-script";
import { startRun, waitForRun } from "../runs";
import { until } from "../until";
import type { WebhookInbox } from "../webhook-inbox";
import type { Bindings } from "./example-request";

const CLIENT_TOOL = { name: "find_order", description: "Finds an order.", input_schema: {} };
/** It asks before it is called, and is never reached. */
const GUARDED_TOOL = {
  name: "create_ticket",
  method: "POST",
  url: "https://api.unknown.invalid/tickets",
};
const CONFIG = JSON.stringify({
  version: 1,
  tools: { client: [CLIENT_TOOL], http: [GUARDED_TOOL], memory: true },
});
const DOCUMENT =
  "kind: agent\nformat: 1\nname: Sales reader\nskill_content: Read the table.\n" +
  `write_autonomy: approval_required\nconfig: ${CONFIG}\n`;
const SECRET_NAME = "EXAMPLE_KEY";
/** Whom the examples of requests name. */
const PERSON = "kept";
const SKILL = (name: string) => ({
  content: `---\nname: ${name}\ndescription: Checks things.\n---\n\nCheck.\n`,
});

/**
 * One real thing of each kind, of an account of its own, under the names that the document gives
 * their ids.
 */
export class DocumentWorld {
  readonly #modelUrl: string;

  private constructor(
    readonly account: TestAccount,
    readonly appClient: ApiClient,
    readonly bindings: Bindings,
    modelUrl: string,
  ) {
    this.#modelUrl = modelUrl;
  }

  static async make(
    account: TestAccount,
    modelUrl: string,
    inbox: WebhookInbox,
  ): Promise<DocumentWorld> {
    const { api } = account;
    const agentId = await importAgent(api);
    const { api_key: key } = await admin([
      "key",
      "create",
      "--email",
      account.email,
      "--agent",
      agentId,
    ]);
    const workspaceId = await idOf(api.post("/v1/workspaces", { name: "Sales" }), "workspace_id");
    const run = await startRun(api, {
      agent_id: agentId,
      input: { question: "?" },
      webhook_url: inbox.url,
    });
    await waitForRun(api, run.run_id);
    await inbox.waitFor(1);
    const bindings = {
      agent_id: agentId,
      app_id: agentId,
      run_id: run.run_id,
      conversation_id: String(run.conversation_id),
      workspace_id: workspaceId,
      webhook_url: inbox.url,
      version_id: await firstId(api, `/v1/agents/${agentId}/versions`, "version_id"),
      delivery_id: await firstId(api, `/v1/webhook-deliveries?run_id=${run.run_id}`, "delivery_id"),
      file_id: await idOf(
        api.post(`/v1/workspaces/${workspaceId}/files?path=a.txt`, undefined, {
          raw: "bytes of it",
        }),
        "file_id",
      ),
      skill_id: await idOf(api.post("/v1/skills", SKILL("example-skill")), "skill_id"),
      schedule_id: await idOf(
        api.post(`/v1/agents/${agentId}/schedules`, { cron: "0 9 * * mon" }),
        "schedule_id",
      ),
      endpoint_id: await idOf(
        api.post("/v1/webhook-endpoints", { url: inbox.url, events: ["schedule.failed"] }),
        "endpoint_id",
      ),
      end_user: await limitedPerson(api, PERSON),
      memory_id: await keptNote(api, modelUrl, agentId),
      server_url: process.env.E2E_OAUTH_MCP_URL ?? "",
      connection_id: await idOf(
        api.post("/v1/connections", { server_url: `${process.env.E2E_OAUTH_MCP_URL}?kept` }),
        "connection_id",
      ),
      ...(await waitingApproval(api, modelUrl, inbox)),
    };
    await secretOfBoth(api, SECRET_NAME);
    return new DocumentWorld(account, new ApiClient(api.baseUrl, String(key)), bindings, modelUrl);
  }

  /**
   * What an operation's examples are about: the shared things, or ones of its own where it ends
   * them or needs another kind.
   */
  async bindingsFor(operationId: string): Promise<Bindings> {
    return { ...this.bindings, ...(await this.#own[operationId]?.()) };
  }

  readonly #own: Record<string, () => Promise<Bindings>> = {
    archiveAgent: async () => ({ agent_id: await importAgent(this.account.api) }),
    deleteConversation: async () => ({ conversation_id: await this.#finishedConversation() }),
    createRun: async () => ({ conversation_id: await this.#finishedConversation() }),
    replayRun: async () => ({ run_id: await this.#finishedRun() }),
    eraseEndUser: async () => ({ end_user: await limitedPerson(this.account.api, "erased") }),
    deleteRun: async () => ({ run_id: await this.#finishedRun() }),
    deleteArtifact: async () => ({ artifact_id: await this.#madeArtifact() }),
    deleteFile: async () => ({ file_id: await this.#anotherFile() }),
    deleteSchedule: async () => ({
      schedule_id: await idOf(
        this.account.api.post(`/v1/agents/${this.bindings.agent_id}/schedules`, {
          cron: "0 9 * * mon",
        }),
        "schedule_id",
      ),
    }),
    deleteMemory: async () => ({
      memory_id: await keptNote(this.account.api, this.#modelUrl, String(this.bindings.agent_id)),
    }),
    deleteAgentCase: async () => ({
      case_id: await idOf(
        this.account.api.post(`/v1/agents/${this.bindings.agent_id}/cases`, {
          name: "Doomed",
          input: { question: "?" },
          checks: [{ type: "contains", value: "x" }],
        }),
        "case_id",
      ),
    }),
    deleteRememberedApproval: async () => this.#rememberedApproval(),
    deleteConnection: async () => ({
      connection_id: await idOf(
        this.account.api.post("/v1/connections", {
          server_url: `${process.env.E2E_OAUTH_MCP_URL}?doomed`,
        }),
        "connection_id",
      ),
    }),
    deleteSecret: async () => ({
      name: await secretOfBoth(this.account.api, "DOOMED_KEY"),
    }),
    deleteSkill: async () => ({
      skill_id: await idOf(this.account.api.post("/v1/skills", SKILL("doomed-skill")), "skill_id"),
    }),
    getRunFileContent: async () => ({ run_id: await this.#runWithFile() }),
    deleteWebhookEndpoint: async () => ({
      endpoint_id: await idOf(
        this.account.api.post("/v1/webhook-endpoints", {
          url: String(this.bindings.webhook_url),
          events: ["schedule.failed"],
        }),
        "endpoint_id",
      ),
    }),
    deleteWorkspace: async () => ({
      workspace_id: await idOf(
        this.account.api.post("/v1/workspaces", { name: "Doomed" }),
        "workspace_id",
      ),
    }),
    getSecret: async () => ({ name: SECRET_NAME }),
    updateSecret: async () => ({ name: SECRET_NAME }),
    getAgentEdit: async () => ({
      run_id: await this.#startedRun(`/v1/agents/${this.bindings.agent_id}/edits`, {
        input: "Rename it.",
      }),
    }),
    submitToolResults: async () => ({
      run_id: await this.#waitingRun(this.account.api, "/v1/runs", "input", "run_id"),
    }),
    updateRun: async () => ({
      run_id: await this.#heldRun(this.account.api, "/v1/runs", "input", "run_id"),
    }),
    updateSuperAgentRun: async () => ({
      run_id: await this.#heldRun(this.account.api, "/v1/super-agent/runs", "input", "run_id"),
    }),
    updateAppRun: async () => ({
      run_id: await this.#heldRun(
        this.appClient,
        `/api/v1/apps/${this.bindings.agent_id}/runs`,
        "inputs",
        "runId",
      ),
    }),
    ...Object.fromEntries(
      ["submitAppToolResults", "sendAppMessage"].map((id) => [
        id,
        async () => ({
          run_id: await this.#waitingRun(
            this.appClient,
            `/api/v1/apps/${this.bindings.agent_id}/runs`,
            "inputs",
            "runId",
          ),
        }),
      ]),
    ),
    sendMessage: async () => ({
      run_id: await this.#waitingRun(this.account.api, "/v1/runs", "input", "run_id"),
    }),
    sendSuperAgentMessage: async () => {
      const turns = [{ text: "Later.", hold_first: true }];
      const { mark } = await ModelScript.register(this.#modelUrl, turns);
      return {
        run_id: await this.#startedRun("/v1/super-agent/runs", { input: { text: mark } }),
      };
    },
    ...Object.fromEntries(
      ["getAppRun", "cancelAppRun", "listAppRunEvents"].map((id) => [
        id,
        async () => ({ run_id: await this.#startedAppRun() }),
      ]),
    ),
    ...Object.fromEntries(
      ["getAppApproval", "resolveAppApproval"].map((id) => [id, () => this.#waitingAppApproval()]),
    ),
    ...Object.fromEntries(
      [
        "getSuperAgentRun",
        "cancelSuperAgentRun",
        "listSuperAgentRunEvents",
        "listSuperAgentRunMessages",
      ].map((id) => [
        id,
        async () => ({
          run_id: await this.#startedRun("/v1/super-agent/runs", { input: { text: "?" } }),
        }),
      ]),
    ),
  };

  async #finishedConversation(): Promise<string> {
    const run = await startRun(this.account.api, {
      agent_id: this.bindings.agent_id,
      input: { text: "?" },
    });
    await waitForRun(this.account.api, run.run_id);
    return String(run.conversation_id);
  }

  async #finishedRun(): Promise<string> {
    const run = await startRun(this.account.api, {
      agent_id: this.bindings.agent_id,
      input: { text: "?" },
    });
    return (await waitForRun(this.account.api, run.run_id)).run_id;
  }

  /** A run with the file that the document's example names. */
  async #runWithFile(): Promise<string> {
    const args = { path: "run:cleaned/orders.csv", content: "month,amount\n2026-01,1200\n" };
    const turns = [{ tool_calls: [{ name: "files_write", args }] }, { text: "Done." }];
    const { mark } = await ModelScript.register(this.#modelUrl, turns);
    const run = await startRun(this.account.api, { input: { text: mark } });
    return (await waitForRun(this.account.api, run.run_id)).run_id;
  }

  async #madeArtifact(): Promise<string> {
    const args = { title: "Report", name: "report.md", type: "text/markdown", content: "# Report" };
    const turns = [{ tool_calls: [{ name: "artifacts", args, fill: true }] }, { text: "Done." }];
    const { mark } = await ModelScript.register(this.#modelUrl, turns);
    const run = await startRun(this.account.api, { input: { text: mark } });
    const [artifact] = (await waitForRun(this.account.api, run.run_id)).result?.artifacts ?? [];
    return artifact?.id ?? "";
  }

  #anotherFile(): Promise<string> {
    const path = `/v1/workspaces/${this.bindings.workspace_id}/files?path=doomed.txt`;
    return idOf(this.account.api.post(path, undefined, { raw: "bytes" }), "file_id");
  }

  #startedRun(path: string, body: unknown): Promise<string> {
    return idOf(this.account.api.post(path, body), "run_id");
  }

  /** A run that waits for results of the calls that the examples name. */
  async #waitingRun(client: ApiClient, path: string, input: string, id: string): Promise<string> {
    const calls = ["call_1", "call_2"].map((id) => ({ id, name: CLIENT_TOOL.name, args: {} }));
    const { mark } = await ModelScript.register(this.#modelUrl, [
      { tool_calls: calls },
      { text: "Done." },
    ]);
    const agent = input === "input" ? { agent_id: this.bindings.agent_id } : {};
    const runId = await idOf(client.post(path, { ...agent, [input]: { text: mark } }), id);
    await until("the run to wait for results", async () =>
      (await client.get(`${path}/${runId}`)).text.includes("client_tool"),
    );
    return runId;
  }

  /** A run that has reached its budget. */
  async #heldRun(client: ApiClient, path: string, input: string, id: string): Promise<string> {
    const { mark } = await ModelScript.register(this.#modelUrl, [
      {
        text: "Counting.",
        tool_calls: [{ name: "todo", fill: true }],
        usage: { input: 4000, output: 100 },
      },
      { text: "Done." },
    ]);
    const limit =
      input === "input"
        ? { max_credits: 8, on_budget: "wait" }
        : { maxCredits: 8, onBudget: "wait" };
    const runId = await idOf(client.post(path, { [input]: { text: mark }, ...limit }), id);
    await until("the run to reach its budget", async () =>
      (await client.get(`${path}/${runId}`)).text.includes('"budget"'),
    );
    return runId;
  }

  /** What an agent of its own asks no more about. */
  async #rememberedApproval(): Promise<Bindings> {
    const { api } = this.account;
    const { approval_id } = await waitingApproval(api, this.#modelUrl, {
      url: String(this.bindings.webhook_url),
    });
    const asked = (await api.get(`/v1/approvals/${approval_id}`)).as("Approval");
    await api.post(`/v1/approvals/${approval_id}/resolve`, { decision: "approve", remember: true });
    const agent_id = String(asked.agent_id);
    const path = `/v1/agents/${agent_id}/remembered-approvals`;
    return { agent_id, remembered_id: await firstId(api, path, "remembered_id") };
  }

  async #waitingAppApproval(): Promise<Bindings> {
    const { mark } = await ModelScript.register(this.#modelUrl, [
      { tool_calls: [{ name: GUARDED_TOOL.name, args: {} }] },
      { text: "Settled." },
    ]);
    const path = `/api/v1/apps/${this.bindings.agent_id}`;
    const inputs = { text: mark };
    const runId = await idOf(this.appClient.post(`${path}/runs`, { inputs }), "runId");
    return until("an approval to be asked for", async () => {
      const page = (await this.appClient.get(`${path}/approvals?runId=${runId}`)).as(
        "AppApprovalPage",
      );
      const [asked] = page.data;
      return asked && { approval_id: asked.approvalId, digest: String(asked.digest) };
    });
  }

  #startedAppRun(): Promise<string> {
    return idOf(
      this.appClient.post(`/api/v1/apps/${this.bindings.agent_id}/runs`, { inputs: { text: "?" } }),
      "runId",
    );
  }
}

function importAgent(api: ApiClient): Promise<string> {
  return idOf(
    api.post("/v1/agents/import", undefined, {
      raw: DOCUMENT,
      headers: { "content-type": "application/yaml" },
    }),
    "agent_id",
  );
}

async function idOf(answer: Promise<ApiResponse>, name: string): Promise<string> {
  const response = await answer;
  // An object or an error, which has no id.
  const value = (response.json() as Record<string, unknown>)[name];
  if (typeof value !== "string")
    throw new Error(`no ${name} in the ${response.status} answer: ${response.text}`);
  return value;
}

/** A note that a run of the agent has made. */
export async function keptNote(api: ApiClient, modelUrl: string, agentId: string): Promise<string> {
  const args = { action: "save", text: "Prefers reports in German." };
  const { mark } = await ModelScript.register(modelUrl, [
    { tool_calls: [{ name: "memory", args }] },
    { text: "Noted." },
  ]);
  const run = await startRun(api, {
    agent_id: agentId,
    input: { text: mark },
    metadata: { end_user: "u_42" },
  });
  await waitForRun(api, run.run_id);
  return firstId(api, `/v1/agents/${agentId}/memories`, "memory_id");
}

async function firstId(api: ApiClient, path: string, name: string): Promise<string> {
  const { data } = (await api.get(path)).json() as { data: Record<string, string>[] }; // a page
  const id = data[0]?.[name];
  if (id === undefined) throw new Error(`nothing is listed at ${path}`);
  return id;
}

/** Of an agent that asks before it calls an address of the inbox. */
async function waitingApproval(
  api: ApiClient,
  modelUrl: string,
  inbox: Pick<WebhookInbox, "url">,
): Promise<Bindings> {
  const http = [{ name: "create_ticket", method: "POST", url: `${inbox.url}/tickets` }];
  const agent = await createAgent(api, modelUrl, {
    autonomy: "approval_required",
    config: { tools: { http } },
  });
  const script = await ModelScript.register(modelUrl, [
    { tool_calls: [{ name: "create_ticket", args: {} }] },
    { text: "Settled." },
  ]);
  const { run_id } = await startRun(api, {
    agent_id: agent.agent_id,
    input: { text: script.mark },
  });
  return until("an approval to be asked for", async () => {
    const page = (await api.get(`/v1/approvals?run_id=${run_id}`)).as("ApprovalPage");
    const [asked] = page.data;
    return asked && { approval_id: asked.approval_id, digest: String(asked.digest) };
  });
}

/** A secret of the account and one of its person under the same name, which it gives. */
async function secretOfBoth(api: ApiClient, name: string): Promise<string> {
  const secret = { name, value: "sk-test-1", allowed_hosts: ["api.example.com"] };
  for (const owner of [{}, { end_user: PERSON }])
    await idOf(api.post("/v1/secrets", { ...secret, ...owner }), "name");
  return name;
}

/** A person of the account who is known by their limit. */
async function limitedPerson(api: ApiClient, name: string): Promise<string> {
  await api.put(`/v1/end-users/${name}/limits`, { max_credits_per_day: 1_000 });
  return name;
}
