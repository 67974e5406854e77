import type { components } from "./openapi-types";

interface RunEnd {
  /** Calls may be repeated: this is the key by which to do things once. */
  runId: string;
  conversationId: string | null;
  /** The same as `conversationId`, kept for older receivers. */
  threadId: string | null;
}

export interface WebhookResult {
  text: string;
  agentId?: string;
  agentName?: string;
  artifacts: { id: string; title: string; type: string; url: string }[];
  data?: unknown;
}

/** What is posted to a run's `webhook_url` when the run has ended. A cancelled run is `failed` with `RUN_CANCELLED`. More fields may come. */
export type WebhookPayload =
  | (RunEnd & { status: "completed"; result: WebhookResult })
  | (RunEnd & { status: "failed"; error: components["schemas"]["RunError"] });
