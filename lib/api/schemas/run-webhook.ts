import "server-only";
import { z } from "zod";
import { appRunResultSchema } from "@/lib/api/schemas/app-run-schemas";
import { EXAMPLE_IDS, idField } from "@/lib/api/schemas/fields";
import { signArtifacts } from "@/lib/domain/artifacts/sign-artifacts";
import {
  type RunEnd,
  type RunWebhookWriter,
  runWebhookWriter,
} from "@/lib/domain/webhooks/run-webhook";
import type { RunResult } from "@/lib/model/run/run-result";
import { runErrorSchema } from "@/lib/model/run/run-result-schemas";
import { currentService } from "@/lib/service";

const ids = {
  runId: idField.meta({ description: "Deduplicate by it: a delivery may arrive more than once." }),
  threadId: idField
    .nullable()
    .meta({ description: "The same as `conversationId`; kept for compatibility." }),
  conversationId: idField.nullable(),
};

/** What is sent to a run's `webhook_url` (specification §6.2). */
export const webhookPayloadSchema = z
  .discriminatedUnion("status", [
    z
      .object({ ...ids, status: z.literal("completed"), result: appRunResultSchema })
      .meta({ id: "RunCompletedWebhook" }),
    z.object({ ...ids, status: z.literal("failed"), error: runErrorSchema }).meta({
      id: "RunFailedWebhook",
      description: "Of a cancelled run too, with `RUN_CANCELLED`.",
    }),
  ])
  .meta({ id: "RunWebhook", description: "The end of a run. New fields may be added." });

const exampleIds = {
  runId: EXAMPLE_IDS.run_id,
  threadId: EXAMPLE_IDS.conversation_id,
  conversationId: EXAMPLE_IDS.conversation_id,
};

/** The ends of a run as they may be sent. */
export const WEBHOOK_EXAMPLES = {
  completed: {
    value: {
      ...exampleIds,
      status: "completed",
      result: {
        text: "March, May and July were the best months.",
        agentId: EXAMPLE_IDS.agent_id,
        agentName: "Sales reader",
        artifacts: [],
      },
    },
  },
  cancelled: {
    value: {
      ...exampleIds,
      status: "failed",
      error: { code: "RUN_CANCELLED", message: "The run was cancelled." },
    },
  },
};

function write({ runId, conversationId, end }: RunEnd): string {
  const completed = "result" in end;
  return JSON.stringify({
    runId,
    status: completed ? "completed" : "failed",
    threadId: conversationId,
    conversationId,
    ...(completed ? { result: end.result && toBodyResult(end.result) } : { error: end.error }),
  });
}

function toBodyResult(result: RunResult) {
  const artifacts = result.artifacts.map(({ size_bytes, ...artifact }) => ({
    ...artifact,
    url: `artifact:${artifact.id}`,
    sizeBytes: size_bytes,
  }));
  return {
    text: result.text,
    agentId: result.agent_id,
    agentName: result.agent_name,
    artifacts,
    ...(result.data !== undefined && { data: result.data }),
  };
}

const withLinks: RunWebhookWriter["withLinks"] = (body, links) => {
  const said = JSON.parse(body) as {
    result?: { artifacts: { id: string; url: string }[] } | null;
  }; // as `write` wrote it, in this release or an earlier one
  if (!said.result || said.result.artifacts.length === 0) return body;
  return JSON.stringify({ ...said, result: signArtifacts(said.result, links) });
};

/** Has the current service write the webhooks of runs in the words of the API. */
export function giveRunWebhook(): void {
  currentService().give(runWebhookWriter, { write, withLinks });
}
