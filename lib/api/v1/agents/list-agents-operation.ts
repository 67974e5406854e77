import "server-only";
import { z } from "zod";
import { operation } from "@/lib/api/http/operation";
import { toList } from "@/lib/api/http/to-list";
import { EXAMPLE_AGENT_METADATA } from "@/lib/api/v1/agents/agent-examples";
import { toAgentMetadata } from "@/lib/api/v1/agents/to-agent";
import { agentMetadataSchema } from "@/lib/api/v1/schemas/agent-schemas";
import { examplePage } from "@/lib/api/v1/schemas/example-page";
import { listOf, listQuery } from "@/lib/api/v1/schemas/fields";
import { listAgents } from "@/lib/domain/agents/list-agents";
import { textOf } from "@/lib/model/text-of";

export const listAgentsOperation = operation({
  method: "GET",
  path: "/v1/agents",
  operationId: "listAgents",
  tag: "Agents",
  summary: "List agents",
  description: "The account's agents, newest first, as metadata only.",
  query: z.object({
    ...listQuery,
    status: z.enum(["active", "archived"]).default("active").meta({ description: "Which agents: those in use, or the archived ones." }),
    q: textOf(255)
      .optional()
      .meta({ description: "Looks into name and description.", examples: ["sales"] }),
  }),
  responses: [
    { status: 200, description: "A page of agents.", schema: listOf(agentMetadataSchema), examples: examplePage(EXAMPLE_AGENT_METADATA) },
  ],
  errors: ["INVALID_INPUT"],
  async handle({ principal, query }) {
    const page = await listAgents(principal, { ...query, search: query.q || null });
    return { status: 200, body: toList(page, toAgentMetadata) };
  },
});
