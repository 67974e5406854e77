import "server-only";
import type { AgentRecord } from "@/lib/domain/agents/agent-store";
import { importAgent } from "@/lib/domain/agents/import-agent";
import type { Principal } from "@/lib/domain/principal";

/** An agent made of a document; `more` is YAML that follows its name and skill. */
export function newAgent(
  principal: Principal,
  more = "config:\n  version: 1 # the format\n",
): Promise<AgentRecord> {
  return importAgent(
    principal,
    `kind: agent\nformat: 1\nname: Helper\nskill_content: Help.\n${more}`,
  );
}
