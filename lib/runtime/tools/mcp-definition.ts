import "server-only";
import type { ListToolsResult } from "@ai-sdk/mcp";

/** A tool as an MCP server describes it. */
export type McpDefinition = ListToolsResult["tools"][number];
