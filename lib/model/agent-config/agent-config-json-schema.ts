import { z } from "zod";
import { agentConfigSchema } from "@/lib/model/agent-config/agent-config-schema";

/** The JSON Schema (2020-12) of the agent config, as `/v1/schemas/agent-config.json` serves it. */
export const AGENT_CONFIG_JSON_SCHEMA = {
  ...z.toJSONSchema(agentConfigSchema, { target: "draft-2020-12", unrepresentable: "any" }),
  title: "Agent config",
  description:
    "What an agent runs with: model, inputs, tools, permissions and limits. Only version is " +
    "required. Unknown keys are refused.",
};
