import type { Client } from "openapi-fetch";
import { LatheRunError } from "./errors";
import type { components, paths } from "./openapi-types";
import { type AgentRuns, type CallOptions, type PollSettings, poll, type StartOptions, startInit, type WaitOptions } from "./runs";
import type { Agent, EditRun, Run } from "./schemas";
import { dataOf } from "./verbs";

type Schemas = components["schemas"];

/** What is done to agents by runs, made and changed in plain language, and by documents of YAML. */
export interface AgentVerbs {
  /** Starts the creation run. */
  create(body: Schemas["CreateAgentRequest"], options?: StartOptions): Promise<Run>;
  /** Starts the creation run, waits for it and gives the new agent's id. @throws LatheRunError when none was made; LatheTimeoutError */
  createAndWait(body: Schemas["CreateAgentRequest"], options?: StartOptions & WaitOptions): Promise<string>;
  /** Waits for a creation run and gives the new agent's id. @throws LatheRunError when none was made; LatheTimeoutError */
  waitForAgent(runId: string, options?: WaitOptions): Promise<string>;
  /** Starts an edit run; the agent stays as it is until the edit succeeds. */
  edit(agentId: string, body: Schemas["CreateAgentEditRequest"], options?: StartOptions): Promise<EditRun>;
  /** Waits for an edit run that succeeds. @throws LatheRunError when it does not; LatheTimeoutError */
  waitForEdit(agentId: string, runId: string, options?: WaitOptions): Promise<EditRun>;
  /** The agent as one document of YAML, with what stands in its comments. */
  export(agentId: string, options?: CallOptions): Promise<string>;
  /** A new agent of such a document. Sent once: a second try could make a second agent. */
  import(document: string, options?: CallOptions): Promise<Agent>;
}

const EDIT_ENDS: readonly EditRun["status"][] = ["succeeded", "failed", "cancelled"];

export function createAgents(api: Client<paths>, runs: Pick<AgentRuns, "wait">, settings: PollSettings): AgentVerbs {
  const create: AgentVerbs["create"] = (body, options = {}) => dataOf(api.POST("/v1/agents", { ...startInit(options), body }));
  const waitForAgent: AgentVerbs["waitForAgent"] = async (runId, options) => {
    const run = await runs.wait(runId, options);
    if (run.status !== "completed" || run.agent_id === null) throw new LatheRunError(run);
    return run.agent_id;
  };
  return {
    create,
    waitForAgent,
    createAndWait: async (body, options = {}) => waitForAgent((await create(body, options)).run_id, options),
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
    export: (agentId, { signal } = {}) =>
      dataOf(api.GET("/v1/agents/{agent_id}/export", { params: { path: { agent_id: agentId } }, parseAs: "text", signal })),
    import: (document, { signal } = {}) => {
      const yaml = { headers: { "Content-Type": "application/yaml" }, bodySerializer: () => document };
      // The document says what its YAML holds; what is sent is its text.
      return dataOf(api.POST("/v1/agents/import", { ...yaml, body: EMPTY_DOCUMENT, signal }));
    },
  };
}

const EMPTY_DOCUMENT: Schemas["AgentDocument"] = { kind: "agent", format: 1, name: "", skill_content: "" };
