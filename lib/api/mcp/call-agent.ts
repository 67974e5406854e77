import "server-only";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { RunnableAgent } from "@/lib/domain/agents/runnable-agents";
import { signArtifacts } from "@/lib/domain/artifacts/sign-artifacts";
import type { Principal } from "@/lib/domain/principal";
import type { Idempotency } from "@/lib/domain/runs/accept-run";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import { openStream } from "@/lib/domain/runs/open-stream";
import { hashRequest, requestRun } from "@/lib/domain/runs/request-run";
import { getRun, type RunView } from "@/lib/domain/runs/run-view";
import { streamRun } from "@/lib/domain/runs/stream-run";
import { ServiceError } from "@/lib/model/errors";
import { IDEMPOTENCY_KEY_MAX_CHARACTERS } from "@/lib/model/limits";
import type { RunEvent } from "@/lib/model/run/run-event";
import { isTerminal } from "@/lib/model/run/run-status";

/** Who calls, and until when. */
export interface CallerSession {
  principal: Principal;
  /** A name that the client repeats with each request; null when it repeats none. */
  session: string | null;
  /** The request's `Idempotency-Key`, of a client that has no session. */
  repeatKey: string | null;
  /** By the revision 2026-07-28 a client that leaves has cancelled its call. */
  endsWithClient: boolean;
  baseUrl: string;
  /** Aborted when the client has left. */
  signal: AbortSignal;
}

/** Tells the client how far a call has come, where it asked for that. */
export type ReportProgress = (progress: number, message: string) => Promise<void>;

interface CallOptions {
  requestId: string | number;
  report: ReportProgress;
  signal: AbortSignal;
}

/**
 * Under which a call's run is accepted: a request that is sent twice starts one run, and a cancel
 * finds it.
 */
export function callKey(
  session: string,
  requestId: string | number,
): Pick<Idempotency, "route" | "key"> {
  return { route: "mcp", key: hashRequest([session, requestId]) };
}

/**
 * Runs an agent and answers when the run has ended. A refusal and a failure are results with
 * `isError`, in the API's words, so that the model reads them. A client that leaves ends the wait,
 * and the run where its revision says so; a cancel ends the run.
 */
export async function callAgent(
  caller: CallerSession,
  agent: RunnableAgent,
  args: Record<string, unknown>,
  options: CallOptions,
): Promise<CallToolResult> {
  try {
    const { runId, needsCaller } = await runToEnd(caller, agent, args, options);
    if (caller.endsWithClient && options.signal.aborted && runId !== "")
      await cancelRun(caller.principal, runId);
    const run = await getRun(caller.principal, runId);
    return needsCaller ? failed(NEEDS_CALLER, aboutOf(run)) : toResult(run, agent, caller.baseUrl);
  } catch (error) {
    if (error instanceof ServiceError) return failed(`${error.code}: ${error.message}`);
    throw error;
  }
}

async function runToEnd(
  caller: CallerSession,
  agent: RunnableAgent,
  args: Record<string, unknown>,
  options: CallOptions,
): Promise<{ runId: string; needsCaller: boolean }> {
  const { principal, baseUrl } = caller;
  let runId = "";
  let needsCaller = false;
  // A call that waits counts as an open stream of its account.
  const stream = await openStream(principal, async () => {
    runId = await start(caller, agent, args, options.requestId);
    return streamRun({ id: runId, accountId: principal.accountId }, -1, baseUrl, options.signal);
  });
  let progress = 0;
  for await (const text of stream) {
    for (const line of text.trimEnd().split("\n")) {
      // The service's own lines.
      const event = JSON.parse(line) as RunEvent | { type: "ping" | "error" };
      const message = messageOf(event);
      if (message !== null) await options.report(++progress, message);
      if (event.type !== "client_tool.requested") continue;
      // Nobody on this way could post their results.
      await cancelRun(principal, runId);
      needsCaller = true;
    }
  }
  return { runId, needsCaller };
}

async function start(
  { principal, session, repeatKey }: CallerSession,
  agent: RunnableAgent,
  args: Record<string, unknown>,
  requestId: string | number,
): Promise<string> {
  const key =
    session !== null
      ? callKey(session, requestId)
      : repeatKey !== null && repeatKey.length <= IDEMPOTENCY_KEY_MAX_CHARACTERS
        ? { route: "mcp", key: hashRequest(["idempotency-key", agent.id, repeatKey]) }
        : null;
  const idempotency = key === null ? undefined : idempotencyOf(key, agent.id, args);
  const names = { input: "arguments", webhookUrl: "webhook_url", endUser: "end_user" };
  const accepted = await requestRun(
    principal,
    principal.agentId === null ? "agent" : "app",
    { agentId: agent.id, input: args },
    idempotency,
    names,
  );
  return "replayed" in accepted ? String(JSON.parse(accepted.body).run_id) : accepted.id;
}

function idempotencyOf(
  key: Pick<Idempotency, "route" | "key">,
  agentId: string,
  args: unknown,
): Idempotency {
  return {
    ...key,
    requestHash: hashRequest([agentId, args]),
    answer: (run) => ({ status: 202, body: JSON.stringify({ run_id: run.id }) }),
  };
}

/** What a person who waits is told; null for what comes too often to tell. */
function messageOf(event: RunEvent | { type: "ping" | "error" }): string | null {
  switch (event.type) {
    case "run.created":
      return "The run has begun.";
    case "tool.started":
      return `Calls ${event.name}.`;
    case "approval.requested":
      return `Waits for a person's approval: ${event.summary}`;
    case "budget.reached":
      return event.reason === "credits"
        ? `Waits for credits: its next step needs ${event.required}.`
        : `Has reached its budget: its next step needs ${event.required} credits.`;
    case "ping":
      return "Still at work.";
    default:
      return null;
  }
}

const NEEDS_CALLER =
  "This agent has client tools, which only a program that starts it by the API can carry " +
  "out. The run was cancelled; start it with POST /v1/runs instead.";

function toResult(run: RunView, agent: RunnableAgent, baseUrl: string): CallToolResult {
  const about = aboutOf(run);
  if (!isTerminal(run.status))
    return failed(
      `The run ${run.id} goes on, but cannot be followed any more: fetch it by the API.`,
      about,
    );
  if (run.status === "cancelled") return failed("RUN_CANCELLED: The run was cancelled.", about);
  if (!run.result)
    return failed(run.error ? `${run.error.code}: ${run.error.message}` : "The run failed.", about);
  const { text, artifacts, data } = signArtifacts(run.result, {
    accountId: run.accountId,
    baseUrl,
  });
  const links = artifacts.map(({ url, name, title, type }) => ({
    type: "resource_link" as const,
    uri: url,
    name,
    title,
    mimeType: type,
  }));
  const structured =
    agent.output_schema && typeof data === "object" && data !== null
      ? data
      : { run_id: run.id, text, artifacts };
  return {
    content: [{ type: "text", text }, ...links],
    structuredContent: { ...structured },
    _meta: about,
  };
}

function aboutOf(run: RunView): Record<string, unknown> {
  return { run_id: run.id, conversation_id: run.conversationId, credits: run.usage.credits };
}

function failed(text: string, about?: Record<string, unknown>): CallToolResult {
  return { content: [{ type: "text", text }], isError: true, ...(about && { _meta: about }) };
}
