import "server-only";
import { z } from "zod";
import { operation } from "@/lib/api/http/operation";
import { idField } from "@/lib/api/schemas/fields";
import { listSecretUses } from "@/lib/domain/secrets/list-secret-uses";

const useSchema = z
  .object({
    secret_name: z.string(),
    agent_id: idField,
    agent_name: z.string(),
    hosts: z.array(z.string()),
  })
  .meta({ id: "SecretUse" });

export const listSecretUsesOperation = operation({
  method: "GET",
  path: "/api/console/secret-uses",
  operationId: "listSecretUses",
  tag: "Console",
  summary: "List where secrets are used",
  description: "Each active agent whose connectors name a secret, and the hosts that they lead to.",
  auth: "session",
  responses: [
    { status: 200, description: "The uses.", schema: z.object({ data: z.array(useSchema) }) },
  ],
  errors: [],
  async handle({ principal }) {
    const uses = await listSecretUses(principal);
    return {
      status: 200,
      body: {
        data: uses.map((use) => ({
          secret_name: use.name,
          agent_id: use.agentId,
          agent_name: use.agentName,
          hosts: use.hosts,
        })),
      },
    };
  },
});
