import { randomBytes } from "node:crypto";
import type { ApiClient } from "./api-client";
import { type AgentWishes, createAgent } from "./create-agent";
import { ModelScript } from "./model-script";
import { type Approval, approvalShape, pageShape } from "./shapes";
import { startRun } from "./start-run";
import { until } from "./until";
import type { WebhookInbox } from "./webhook-inbox";

export interface WaitingCall {
  runId: string;
  agentId: string;
  /** A tool's name that no other test uses. */
  tool: string;
  approval: Approval;
}

interface Wishes {
  api: ApiClient;
  modelUrl: string;
  inbox: WebhookInbox;
  args: Record<string, unknown>;
  agent?: AgentWishes;
}

/** Starts a run of an agent that asks before it writes to the inbox, and waits until it has asked. */
export async function waitingCall({ api, modelUrl, inbox, args, agent: wishes = {} }: Wishes): Promise<WaitingCall> {
  const tool = `create_${randomBytes(5).toString("hex")}`;
  const http = [{ name: tool, method: "POST", url: `${inbox.url}/tickets`, input_schema: { type: "object" } }];
  const agent = await createAgent(api, modelUrl, {
    autonomy: "approval_required",
    ...wishes,
    config: { tools: { http }, ...wishes.config },
  });
  const script = await ModelScript.register(modelUrl, [{ tool_calls: [{ name: tool, args }] }, { text: "That is settled." }]);
  const { run_id: runId } = await startRun(api, { agent_id: agent.agent_id, input: { text: script.mark } });
  const approval = await until("an approval to be asked for", async () => {
    const page = (await api.get("/v1/approvals", { query: { run_id: runId } })).as(pageShape(approvalShape));
    return page.data[0];
  });
  return { runId, agentId: agent.agent_id, tool, approval };
}
