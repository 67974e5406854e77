import "server-only";
import { createRunBody, realtimeRunBody } from "@/lib/api/v1/schemas/run-schemas";

/** As a run of an agent, without naming one. */
export const superAgentRealtimeBody = realtimeRunBody.omit({ agent_id: true }).meta({ id: "SuperAgentRealtimeRunRequest" });
export const superAgentRunBody = createRunBody.omit({ agent_id: true }).meta({ id: "CreateSuperAgentRunRequest" });
