import "server-only";
import type { ShownCall } from "@/lib/model/approval/approval-question";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";
import type { RunEventBody } from "@/lib/model/run/run-event";
import type { ArtifactPort } from "./artifact-port";
import type { TodoState } from "./todo-state";
import type { WorkspacePort } from "./workspace-port";

/** What one call of a tool may reach. */
export interface ToolContext {
  runId: string;
  accountId: string;
  toolCallId: string;
  /** The call has thrown `RunPending` before, and the engine has waited for as long as it may. */
  isResumed?: boolean;
  signal: AbortSignal;
  /** Waits for something that accounts share; the run's time limit stands still meanwhile. */
  untimed?<T>(wait: Promise<T>): Promise<T>;
  /** Null when the run is bound to no workspace. */
  workspace: WorkspacePort | null;
  artifacts: ArtifactPort;
  emit(event: RunEventBody): void;
  todo: TodoState;
}

/** `output` is what the model sees. */
export interface ToolOutcome {
  succeeded: boolean;
  output: JsonValue;
}

/** Where one call goes, and with what. A secret is named, never shown. */
export type CallPreview = Omit<ShownCall, "definition" | "changes">;

/**
 * A tool as the runtime knows it. `read` changes nothing, `internal` changes only what the service keeps for the run's account,
 * `guarded` writes outside the service and is dispatched by the agent's write autonomy.
 */
export interface RuntimeTool {
  name: string;
  description: string;
  /** JSON Schema of an object; `executeTool` checks arguments against it before `execute` sees them. */
  inputSchema: JsonObject;
  kind: "read" | "internal" | "guarded";
  /** The MCP server that it comes from; permissions may name it too. */
  server?: string;
  /** Where a call goes, for the person who is to approve it: `POST https://api.example.com/tickets`. */
  target?: string;
  /** What a person who approves a call approves beside the arguments: tools that could do different things differ in it. None: a tool of our own. */
  definition?: JsonObject;
  /** What a person is shown of one call. */
  preview?(args: unknown): CallPreview;
  /** Why a person must be asked before this very call, whatever the agent's settings; null when they decide alone. */
  reasonToAsk?(args: unknown): Promise<string | null>;
  /** Throws `ToolFailure` when it cannot, `RunPending` to be called again when another run has ended, and the signal's reason when it is aborted. */
  execute(args: unknown, context: ToolContext): Promise<ToolOutcome>;
}
