import "server-only";
import { z } from "zod";
import { operation } from "@/lib/api/http/operation";
import { EXAMPLE_AGENT_DOCUMENT } from "@/lib/api/v1/agents/agent-examples";
import { idField } from "@/lib/api/v1/schemas/fields";
import { exportAgent } from "@/lib/domain/agents/export-agent";
import { agentDocumentSchema } from "@/lib/model/agent-document/agent-document-schema";

export const exportAgentOperation = operation({
  method: "GET",
  path: "/v1/agents/{agent_id}/export",
  operationId: "exportAgent",
  tag: "Agents",
  summary: "Export an agent",
  description: "The agent as one YAML document, with the comments of its config; `POST /v1/agents/import` takes it, here or elsewhere.",
  params: z.object({ agent_id: idField }),
  responses: [
    {
      status: 200,
      description: "The document.",
      schema: agentDocumentSchema,
      contentType: "application/yaml",
      headers: ["Content-Disposition"],
      examples: { document: EXAMPLE_AGENT_DOCUMENT },
    },
  ],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND"],
  async handle({ principal, params }) {
    const { name, text } = await exportAgent(principal, params.agent_id);
    const headers = {
      "content-type": "application/yaml",
      "content-length": String(Buffer.byteLength(text)),
      "content-disposition": `attachment; filename="${toFileName(name)}.agent.yaml"`,
    };
    return new Response(text, { status: 200, headers });
  },
});

/** Letters and digits of ASCII only: nothing that a header or a file system reads as more than a name. */
function toFileName(name: string): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-");
  return plain.replace(/^-|-$/g, "").slice(0, 64) || "agent";
}
