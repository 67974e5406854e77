import "server-only";
import type { LanguageModelV3FunctionTool } from "@ai-sdk/provider";
import type { RuntimeTool } from "./tool";

/** A tool in the words of a model call. */
export function toFunctionTool(tool: Pick<RuntimeTool, "name" | "description" | "inputSchema">): LanguageModelV3FunctionTool {
  // A JSON object of our own making or checked by `checkSchema`: the vendor's type is only narrower about its keys.
  const inputSchema = tool.inputSchema as LanguageModelV3FunctionTool["inputSchema"];
  return { type: "function", name: tool.name, description: tool.description, inputSchema };
}
