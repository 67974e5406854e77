import type { ApiClient } from "../api-client";
import { ModelScript } from "../model-script";
import { approvalShape, pageShape, runShape } from "../shapes";
import { startRun } from "../start-run";
import { until } from "../until";
import { waitForRun } from "../wait-for-run";

export interface Helpers {
  modelUrl: string;
  hookUrl: string;
}

/** Gives an account two of everything that can be named in a request: agents, versions, edits, runs in every state, files, secrets and the rest. */
export async function stockAccount(api: ApiClient, prefix: string, { modelUrl, hookUrl }: Helpers): Promise<{ agentId: string }> {
  const agentId = await importAgent(api, "Plain", { version: 1 });
  const other = await importAgent(api, "Other", { version: 1, starters: ["Go"] });
  const asking = await importAgent(api, "Asking", {
    version: 1,
    tools: { http: [{ name: "create_ticket", method: "POST", url: hookUrl, input_schema: { type: "object" } }] },
  });
  const archived = await importAgent(api, "Archived", { version: 1 });
  await Promise.all([
    stockWorkspaces(api, agentId),
    stockLists(api, agentId, other, prefix),
    stockRuns(api, agentId, modelUrl, hookUrl),
    waitingRuns(api, asking, modelUrl),
    must(api.delete(`/v1/agents/${archived}`)),
  ]);
  return { agentId };
}

async function importAgent(api: ApiClient, name: string, config: object): Promise<string> {
  const raw = JSON.stringify({ kind: "agent", format: 1, name, skill_content: `# ${name}\n`, config, write_autonomy: "approval_required" });
  const made = await must(api.post("/v1/agents/import", undefined, { raw, headers: { "content-type": "application/yaml" } }));
  return String(made.agent_id);
}

async function stockWorkspaces(api: ApiClient, agentId: string): Promise<void> {
  for (const name of ["First", "Second"]) {
    const { workspace_id: id } = await must(api.post("/v1/workspaces", { name }));
    for (const path of ["notes/a.txt", "notes/b.csv", "empty"])
      await must(
        api.post(`/v1/workspaces/${id}/files`, undefined, {
          raw: path === "empty" ? new Uint8Array() : `text of ${path}`,
          query: { path },
          headers: { "content-type": "application/octet-stream" },
        }),
      );
    if (name === "First") await must(api.put(`/v1/workspaces/${id}/agents/${agentId}`));
  }
}

async function stockLists(api: ApiClient, agentId: string, other: string, prefix: string): Promise<void> {
  for (const name of [`${prefix}_FIRST`, `${prefix}_SECOND`])
    await must(api.post("/v1/secrets", { name, value: "v", allowed_hosts: ["api.nowhere.invalid"] }));
  for (const name of ["first-skill", "second-skill"])
    await must(api.post("/v1/skills", { content: `---\nname: ${name}\ndescription: x\n---\n` }));
  for (const agent of [agentId, other]) {
    await must(api.post(`/v1/agents/${agent}/schedules`, { cron: "0 9 1 1 *" }));
    await must(api.patch(`/v1/agents/${agent}`, { description: "Changed once." }));
    const edit = await must(api.post(`/v1/agents/${agent}/edits`, { input: "Answer in German." }));
    await waitForRun(api, String(edit.run_id));
  }
}

async function stockRuns(api: ApiClient, agentId: string, modelUrl: string, hookUrl: string): Promise<void> {
  const plain = await startRun(api, { agent_id: agentId, input: { question: "1" }, webhook_url: hookUrl, metadata: { customer: "c" } });
  const failing = await ModelScript.register(modelUrl, [{ status: 400, error_message: "no" }]);
  const failed = await startRun(api, { input: { question: failing.mark } });
  const held = await ModelScript.register(modelUrl, [{ hold_first: true, text: "never" }]);
  const cancelled = await startRun(api, { input: { question: held.mark } });
  await must(api.post(`/v1/runs/${cancelled.run_id}/cancel`));
  const args = { title: "Made", name: "made.txt", type: "text/plain", content: "x" };
  const making = await ModelScript.register(modelUrl, [
    { tool_calls: Array.from({ length: 8 }, () => ({ name: "artifacts", args, fill: true })) },
    { text: "Made." },
  ]);
  const made = await startRun(api, { input: { question: making.mark } });
  for (const run of [plain, failed, cancelled, made]) await waitForRun(api, run.run_id);
  await until("the webhook's delivery", async () => (await api.get(`/v1/runs/${plain.run_id}`)).as(runShape).webhook_delivered_at);
}

/** Runs that wait for a person. */
async function waitingRuns(api: ApiClient, agentId: string, modelUrl: string): Promise<void> {
  const script = await ModelScript.register(modelUrl, [{ tool_calls: [{ name: "create_ticket", args: { title: "x" } }] }]);
  await Promise.all([1, 2, 3, 4].map(() => startRun(api, { agent_id: agentId, input: { question: script.mark } })));
  await until("four approvals", async () => (await api.get("/v1/approvals")).as(pageShape(approvalShape)).data.length >= 4);
}

async function must(answering: ReturnType<ApiClient["get"]>): Promise<Record<string, unknown>> {
  const answer = await answering;
  if (answer.status >= 300) throw new Error(`The set-up was refused: ${answer.status} ${answer.text}`);
  return answer.text === "" ? {} : (answer.json() as Record<string, unknown>); // an object of the API
}
