import "server-only";
import { artifactsTool } from "./artifacts-tool";
import { runJavascriptTool } from "./run-javascript-tool";
import { todoTool } from "./todo-tool";
import type { RuntimeTool } from "./tool";
import { workspaceFilesTool } from "./workspace-files-tool";

/** The tools that the service itself brings, by the names that an agent's config uses. */
export const BUILT_IN_TOOLS: readonly RuntimeTool[] = [workspaceFilesTool, runJavascriptTool, todoTool, artifactsTool];
