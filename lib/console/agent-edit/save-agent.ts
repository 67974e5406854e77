import { LatheApiError, LatheError } from "@/lib/client/errors";
import type { Agent } from "@/lib/client/schemas";
import { dataOf } from "@/lib/client/verbs";
import { consoleApi } from "@/lib/console/api";
import type { ConsoleClient } from "@/lib/console/reads";

/** The fields of an agent that people write. */
export type AgentFields = Pick<
  Agent,
  "name" | "description" | "version" | "write_autonomy" | "skill_content" | "config_content"
>;
export type AgentField = keyof AgentFields;

interface AgentSave {
  agentId: string;
  /** The fields as they stood when the change was begun: at least those that `change` names. */
  base: Partial<AgentFields>;
  change: Partial<AgentFields>;
  releaseNote?: string | null;
}

export type SaveOutcome =
  | { outcome: "saved"; agent: Agent }
  /** Nothing was stored: `fields` of the change say something else by now, in `agent`. */
  | { outcome: "conflict"; agent: Agent; fields: AgentField[] };

const ATTEMPTS_MAX = 5;

/**
 * Stores a change of an agent unless a field of it was changed by somebody else since `base`.
 * Changes of other fields are no conflict: the change is put on top of them. What is stored between
 * the look and the write is caught by `If-Match`, and looked at again. @throws LatheError
 */
export async function saveAgent(
  save: AgentSave,
  api: Pick<ConsoleClient, "GET" | "PATCH"> = consoleApi.api,
): Promise<SaveOutcome> {
  const params = { path: { agent_id: save.agentId } };
  const body = { ...save.change, ...(save.releaseNote ? { release_note: save.releaseNote } : {}) };
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const asking = api.GET("/v1/agents/{agent_id}", { params });
    const agent = await dataOf(asking);
    const fields = conflictingFields(save, agent);
    if (fields.length > 0) return { outcome: "conflict", agent, fields };
    const headers = toIfMatch((await asking).response);
    const stored = await dataOf(
      api.PATCH("/v1/agents/{agent_id}", { params, body, headers }),
    ).catch(nullWhenChanged);
    if (stored) return { outcome: "saved", agent: stored };
  }
  throw new LatheError(
    "This agent is being changed all the time. Nothing was stored; try again in a moment.",
  );
}

function conflictingFields({ base, change }: AgentSave, agent: Agent): AgentField[] {
  // The keys of the type, which Object.keys forgets.
  const fields = Object.keys(change) as AgentField[];
  return fields.filter((field) => agent[field] !== base[field] && agent[field] !== change[field]);
}

/**
 * A proxy that compresses answers weakens their validators, and If-Match takes strong ones only.
 */
function toIfMatch({ headers }: Response): Record<string, string> {
  const etag = headers.get("etag");
  return etag ? { "If-Match": etag.replace(/^W\//, "") } : {};
}

/** Of an agent that was changed since it was looked at. @throws any other error */
function nullWhenChanged(error: unknown): null {
  if (error instanceof LatheApiError && error.status === 412) return null;
  throw error;
}
