import { randomBytes } from "node:crypto";
import type { EditRun, Run } from "@/lib/client/schemas";
import { type AgentOptions, createAgent } from "./agents";
import { type ApiClient, typedClient } from "./api-client";
import { type Approval, parseServed } from "./api-document";
import { ModelScript } from "./model-script";
import { until } from "./until";
import type { WebhookInbox } from "./webhook-inbox";

type RunBody = Parameters<ReturnType<typeof typedClient>["runs"]["create"]>[0];

/** Starts an async run and returns it as accepted, checked against the contract; throws when it is not accepted. */
export async function startRun(api: ApiClient, body: Record<string, unknown>): Promise<Run> {
  return parseServed(api, "Run", await typedClient(api).runs.create(body as RunBody)); // a test may send what the document does not allow
}

/** Polls a run until it is terminal and returns it, checked against the contract. */
export async function waitForRun(api: ApiClient, runId: string): Promise<Run> {
  return parseServed(api, "Run", await typedClient(api).runs.wait(runId, { timeoutMs: 120_000, pollMs: 40 }));
}

/** Waits until an edit is terminal and returns it, checked against the contract. */
export async function waitForEdit(api: ApiClient, agentId: string, runId: string): Promise<EditRun> {
  await waitForRun(api, runId);
  const path = { agent_id: agentId, run_id: runId };
  return parseServed(api, "EditRun", await typedClient(api).get("/v1/agents/{agent_id}/edits/{run_id}", { params: { path } }));
}

interface WaitingCall {
  runId: string;
  agentId: string;
  /** A tool's name that no other test uses. */
  tool: string;
  approval: Approval;
}

interface WaitingCallOptions {
  api: ApiClient;
  modelUrl: string;
  inbox: WebhookInbox;
  args: Record<string, unknown>;
  agent?: AgentOptions;
}

/** Starts a run of an agent that asks before it writes to the inbox, and waits until it has asked. */
export async function waitingCall({ api, modelUrl, inbox, args, agent: options = {} }: WaitingCallOptions): Promise<WaitingCall> {
  const tool = `create_${randomBytes(5).toString("hex")}`;
  const http = [{ name: tool, method: "POST", url: `${inbox.url}/tickets`, input_schema: { type: "object" } }];
  const agent = await createAgent(api, modelUrl, {
    autonomy: "approval_required",
    ...options,
    config: { tools: { http }, ...options.config },
  });
  const script = await ModelScript.register(modelUrl, [{ tool_calls: [{ name: tool, args }] }, { text: "That is settled." }]);
  const { run_id: runId } = await startRun(api, { agent_id: agent.agent_id, input: { text: script.mark } });
  const approval = await until("an approval to be asked for", async () => {
    const page = (await api.get("/v1/approvals", { query: { run_id: runId } })).as("ApprovalPage");
    return page.data[0];
  });
  return { runId, agentId: agent.agent_id, tool, approval };
}

/** A run's `input` object whose JSON is exactly `bytes` long in UTF-8, ending in `end`, and as multi-byte as it can be when asked. */
export function inputOfBytes(bytes: number, { multiByte = false, end = "" } = {}): { text: string } {
  const room = bytes - Buffer.byteLength(JSON.stringify({ text: end }));
  const text = multiByte ? "ü".repeat(Math.floor(room / 2)) + "a".repeat(room % 2) : "a".repeat(room);
  return { text: text + end };
}
