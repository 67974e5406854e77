import "server-only";
import { z } from "zod";
import { operation } from "@/lib/api/http/operation";
import { creditsField, EXAMPLE_IDS, idField, metadataField, webhookUrlField } from "@/lib/api/schemas/fields";
import { EXAMPLE_PENDING_RUN } from "@/lib/api/schemas/run-examples";
import { acceptedReply, createRunBody, idempotency, modelField, runSchema, toRun } from "@/lib/api/schemas/run-schemas";
import { replayRun } from "@/lib/domain/runs/replay-run";
import { toMicros } from "@/lib/model/run/run-result";

const INT4_MAX = 2_147_483_647;

const replayRunBody = z
  .strictObject({
    model: modelField.optional().meta({
      description: "A model of the published list, as `provider/name`. Absent: with `version` that version's own, else the run's.",
    }),
    version: z.number().int().min(1).max(INT4_MAX).optional().meta({
      description: "The `number` of a version of the agent. Absent: the agent as it is now.",
    }),
    webhook_url: webhookUrlField.optional(),
    should_notify: createRunBody.shape.should_notify,
    metadata: metadataField.optional().meta({ description: "Absent: the run's." }),
    max_credits: creditsField.optional().meta({ description: "Absent: the run's." }),
  })
  .meta({ id: "ReplayRunRequest" });

export const replayRunOperation = operation({
  method: "POST",
  path: "/v1/runs/{run_id}/replay",
  operationId: "replayRun",
  tag: "Runs",
  summary: "Replay a run",
  description:
    "Starts an ended run of an agent, or a general one, once more, if you like on another model or another version of the agent: the same input, workspace and metadata, and the earlier messages of the conversation that the first run was shown, in a new conversation. The files, skills and secrets are those of today, and its tools act again. `webhook_url` and `should_notify` are not taken over. A run at work, a creation or an edit, and an archived agent answer 409. The new run names the first one in `replayed_from`.",
  budget: "run",
  idempotent: true,
  params: z.object({ run_id: idField }),
  body: replayRunBody,
  bodyOptional: true,
  examples: {
    same: { metadata: { customer: "c_42" } },
    version: { version: 1, max_credits: 25 },
  },
  creates: ["conversations"],
  responses: [
    {
      status: 202,
      description: "The new run, pending.",
      schema: runSchema,
      headers: ["Location"],
      examples: { pending: { ...EXAMPLE_PENDING_RUN, replayed_from: EXAMPLE_IDS.run_id, agent_version: 1 } },
    },
  ],
  errors: [
    "INVALID_INPUT",
    "RUN_NOT_FOUND",
    "AGENT_NOT_FOUND",
    "VERSION_NOT_FOUND",
    "WORKSPACE_NOT_FOUND",
    "CONFLICT",
    "IDEMPOTENCY_CONFLICT",
    "ACCOUNT_BLOCKED",
    "INSUFFICIENT_CREDITS",
    "SERVICE_UNAVAILABLE",
  ],
  async handle(call) {
    const { model, version, webhook_url, should_notify, metadata, max_credits } = call.body;
    const answer = (run: Parameters<typeof toRun>[0]) => toRun(run, call.baseUrl);
    const changes = {
      model: model ?? null,
      version: version ?? null,
      webhookUrl: webhook_url ?? null,
      shouldNotify: should_notify ?? false,
      metadata: metadata ?? null,
      maxCreditsMicros: max_credits === undefined ? null : toMicros(max_credits),
    };
    return acceptedReply(await replayRun(call.principal, call.params.run_id, changes, idempotency(call, "replayRun", answer)), answer);
  },
});
