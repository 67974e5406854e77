import type { Run } from "@/lib/client/schemas";
import { codeSamples } from "@/lib/console/reference/code-samples";

/**
 * The command that starts such a run anew. The key is a variable of the reader's shell, never a
 * value; null where a run's input is not known, and of a run that only the super-agent's routes
 * start.
 */
export function runAsCurl(run: Run, baseUrl: string): string | null {
  const call = callOf(run);
  if (call === null) return null;
  const { body, ...where } = call;
  return codeSamples({
    ...where,
    headers: {},
    answer: "json",
    isList: false,
    key: "account",
    baseUrl,
    body: { kind: "json", value: body },
  }).curl;
}

function callOf({ kind, input, agent_id, workspace_id, model, metadata }: Run) {
  if (input === undefined || kind === "super_agent") return null;
  const post = { method: "POST" as const, places: {} };
  if (kind === "agent_creation")
    return { ...post, operationId: "createAgent", path: "/v1/agents", body: { input: input.text } };
  if (kind === "agent_edit") {
    if (agent_id === null) return null;
    const edit = {
      operationId: "createAgentEdit",
      path: "/v1/agents/{agent_id}/edits",
      places: { agent_id },
    };
    return { ...post, ...edit, body: { input: input.text } };
  }
  return {
    ...post,
    ...{ operationId: "createRun", path: "/v1/runs" },
    body: {
      ...(agent_id !== null && { agent_id }),
      input,
      ...(workspace_id !== null && { workspace_id }),
      model,
      ...(Object.keys(metadata).length > 0 && { metadata }),
    },
  };
}
