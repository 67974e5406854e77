import type { Client } from "openapi-fetch";
import { dataOf } from "./data-of";
import { LatheRunError } from "./errors/lathe-run-error";
import type { components, paths } from "./openapi-types";
import { type PollSettings, poll, type WaitOptions } from "./poll";
import type { Runs, StartOptions } from "./runs";
import type { EditRun, Run } from "./schemas";
import { startInit } from "./start-init";

type Schemas = components["schemas"];

/** What is done to agents by runs: made and changed in plain language. All else about them is in `get`, `patch`, `list` and so on. */
export interface Agents {
  /** Starts the creation run. */
  create(body: Schemas["CreateAgentRequest"], options?: StartOptions): Promise<Run>;
  /** Waits for a creation run and gives the new agent's id. @throws LatheRunError when none was made; LatheTimeoutError */
  waitForAgent(runId: string, options?: WaitOptions): Promise<string>;
  /** Starts an edit run; the agent stays as it is until the edit succeeds. */
  edit(agentId: string, body: Schemas["CreateAgentEditRequest"], options?: StartOptions): Promise<EditRun>;
  /** Waits for an edit run that succeeds. @throws LatheRunError when it does not; LatheTimeoutError */
  waitForEdit(agentId: string, runId: string, options?: WaitOptions): Promise<EditRun>;
}

const EDIT_ENDS: readonly EditRun["status"][] = ["succeeded", "failed", "cancelled"];

export function createAgents(api: Client<paths>, runs: Pick<Runs<never, never>, "wait">, settings: PollSettings): Agents {
  return {
    create: (body, options = {}) => dataOf(api.POST("/v1/agents", { ...startInit(options), body })),
    async waitForAgent(runId, options) {
      const run = await runs.wait(runId, options);
      if (run.status !== "completed" || run.agent_id === null) throw new LatheRunError(run);
      return run.agent_id;
    },
    edit: (agentId, body, options = {}) =>
      dataOf(api.POST("/v1/agents/{agent_id}/edits", { ...startInit(options), params: { path: { agent_id: agentId } }, body })),
    async waitForEdit(agentId, runId, options = {}) {
      const path = { agent_id: agentId, run_id: runId };
      const fetch = (signal: AbortSignal | undefined) =>
        dataOf(api.GET("/v1/agents/{agent_id}/edits/{run_id}", { params: { path }, signal }));
      const edit = await poll(runId, fetch, ({ status }) => EDIT_ENDS.includes(status), options, settings);
      if (edit.status !== "succeeded") throw new LatheRunError(edit);
      return edit;
    },
  };
}
