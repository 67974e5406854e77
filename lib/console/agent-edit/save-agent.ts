import { ConsoleError } from "@/lib/console/console-error";
import { consolePaths } from "@/lib/console/console-paths";
import { requestConsole } from "@/lib/console/request-console";
import type { AgentRecord } from "@/lib/console/shapes/agent";

/** The fields of an agent that people write. */
export type AgentFields = Pick<AgentRecord, "name" | "description" | "version" | "write_autonomy" | "skill_content" | "config_content">;
export type AgentField = keyof AgentFields;

interface AgentSave {
  agentId: string;
  /** The fields as they stood when the change was begun: at least those that `change` names. */
  base: Partial<AgentFields>;
  change: Partial<AgentFields>;
  releaseNote?: string | null;
}

export type SaveOutcome =
  | { outcome: "saved"; agent: AgentRecord }
  /** Nothing was stored: `fields` of the change say something else by now, in `agent`. */
  | { outcome: "conflict"; agent: AgentRecord; fields: AgentField[] };

const ATTEMPTS_MAX = 5;

/**
 * Stores a change of an agent unless a field of it was changed by somebody else since `base`. Changes of other fields are no conflict: the change is
 * put on top of them. What is stored between the look and the write is caught by `If-Match`, and looked at again. Throws `ConsoleError`.
 */
export async function saveAgent(save: AgentSave, request: typeof requestConsole = requestConsole): Promise<SaveOutcome> {
  const path = consolePaths.agent(save.agentId);
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const current = await request(path);
    const agent = (await current.json()) as AgentRecord; // the route's own tests hold the shape
    const fields = conflictingFields(save, agent);
    if (fields.length > 0) return { outcome: "conflict", agent, fields };
    const stored = await patch(path, save, current.headers.get("etag"), request);
    if (stored) return { outcome: "saved", agent: stored };
  }
  throw new ConsoleError("VERSION_CONFLICT", "This agent is being changed all the time. Nothing was stored; try again in a moment.", 412);
}

function conflictingFields({ base, change }: AgentSave, agent: AgentRecord): AgentField[] {
  const fields = Object.keys(change) as AgentField[]; // the keys of the type, which Object.keys forgets
  return fields.filter((field) => agent[field] !== base[field] && agent[field] !== change[field]);
}

/** Null when the agent was changed since `etag`. */
async function patch(path: string, save: AgentSave, etag: string | null, request: typeof requestConsole): Promise<AgentRecord | null> {
  const body = { ...save.change, ...(save.releaseNote ? { release_note: save.releaseNote } : {}) };
  // A proxy that compresses answers weakens their validators, and If-Match takes strong ones only.
  const headers: Record<string, string> = etag ? { "if-match": etag.replace(/^W\//, "") } : {};
  try {
    return (await (await request(path, { method: "PATCH", body, headers })).json()) as AgentRecord; // the route's own tests hold the shape
  } catch (error) {
    if (error instanceof ConsoleError && error.status === 412) return null;
    throw error;
  }
}
