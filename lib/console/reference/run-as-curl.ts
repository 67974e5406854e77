import type { Run } from "@/lib/client/schemas";
import { codeSamples } from "@/lib/console/reference/code-samples";
import type { RunKind } from "@/lib/model/run/run-status";

interface Call {
  method: "POST";
  operationId: string;
  path: string;
  places: Record<string, string>;
  body: object;
}

const POST = { method: "POST", places: {} } as const;

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

/** What starts a run of a kind; of a kind that is not here no command is shown. */
const STARTS: { [Kind in RunKind]?: (run: Run & Required<Pick<Run, "input">>) => Call | null } = {
  agent: startRun,
  app: startRun,
  agent_creation: ({ input }) => ({
    ...POST,
    ...{ operationId: "createAgent", path: "/v1/agents" },
    body: { input: input.text },
  }),
  agent_edit: ({ agent_id, input }) =>
    agent_id === null
      ? null
      : {
          ...POST,
          ...{ operationId: "createAgentEdit", path: "/v1/agents/{agent_id}/edits" },
          places: { agent_id },
          body: { input: input.text },
        },
};

function callOf({ input, ...run }: Run): Call | null {
  return input === undefined ? null : (STARTS[run.kind]?.({ ...run, input }) ?? null);
}

function startRun({ input, agent_id, workspace_id, model, metadata }: Run): Call {
  return {
    ...POST,
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
