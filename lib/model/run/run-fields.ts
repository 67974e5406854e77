import { z } from "zod";
import { endUserField } from "@/lib/model/end-user";
import {
  bigInteger,
  boolean,
  computed,
  type Field,
  type FieldTable,
  field,
  type GivenOf,
  initialOf,
  integer,
  json,
  nullable,
  text,
  time,
  unsaidOf,
  uuid,
} from "@/lib/model/fields/field-table";
import {
  creditsField,
  EXAMPLE_IDS,
  idField,
  metadataField,
  nullableTime,
  timeField,
  type VersionName,
  versionField,
  webhookUrlField,
} from "@/lib/model/fields/shared-fields";
import { INPUT_MAX_BYTES } from "@/lib/model/limits";
import { budgetShape } from "@/lib/model/run/budget-shape";
import { type BudgetAction, ON_BUDGET, type OnBudget } from "@/lib/model/run/on-budget";
import type { RunFailureCode } from "@/lib/model/run/run-failure";
import { type RunResult, toMicros, type Usage } from "@/lib/model/run/run-result";
import { runErrorSchema, runResultSchema, usageSchema } from "@/lib/model/run/run-result-schemas";
import {
  RUN_KINDS,
  RUN_STATUSES,
  type RunKind,
  type RunOrigin,
  type RunStatus,
} from "@/lib/model/run/run-status";

const utf8 = new TextEncoder();

/**
 * The field `model` of requests: the published list is written into the document, and held by the
 * domain, which names it in its message.
 */
export const modelField = z
  .string()
  .max(200)
  .meta({
    id: "ModelId",
    description:
      "A model of the published list, as `provider/name`, or an alias that stands for the " +
      "newest of its family, such as `anthropic/latest-sonnet`.",
  });

/** What becomes of a run that its credits do not cover any more. */
export const onBudgetField = z.enum(ON_BUDGET);

/** The named inputs of a run, at most 256 KB as JSON. */
export const inputField = z
  .record(z.string(), z.unknown())
  .refine(
    (input) => utf8.encode(JSON.stringify(input)).length <= INPUT_MAX_BYTES,
    `must have at most ${INPUT_MAX_BYTES} bytes as JSON`,
  )
  .meta({
    description: "Named inputs to the agent; checked against its `inputs` schema when it has one.",
    example: { question: "What were the best three months?" },
  });

/**
 * What a running run waits for: a person's decision, credits, or results of tools that whoever
 * started it carries out.
 */
type RequiredAction =
  | { type: "approval"; approval_id: string }
  | BudgetAction
  | { type: "client_tool"; calls: { tool_call_id: string; name: string; arguments: unknown }[] }
  /** The first message that is sent to it is the answer. */
  | { type: "question"; question: string; options?: string[] };

/** What is said of a field of a run beside what each noun's says. */
interface RunField {
  /** Of what is shown: whether the app-scoped path shows it too. */
  app?: boolean;
  /**
   * Of what is given: whether a replay takes it over from the run, or only from its own request.
   */
  replay?: "kept" | "anew";
}
type Decided<T> = {
  [K in keyof T]: (T[K] extends { shown: unknown } ? Required<Pick<RunField, "app">> : object) &
    (T[K] extends { given: unknown } ? Required<Pick<RunField, "replay">> : object);
};
const decided = <T extends FieldTable & Decided<T>>(table: T): T => table;

/** What a run is made of. */
export const RUN_FIELDS = decided({
  id: field(uuid, { wire: "run_id", shown: idField, example: EXAMPLE_IDS.run_id, app: true }),
  accountId: field(uuid),
  kind: field(text<RunKind>(), {
    shown: z.enum(RUN_KINDS).meta({ description: "What started it." }),
    example: "agent",
    app: false,
  }),
  status: field(text<RunStatus>(), {
    shown: z
      .enum(RUN_STATUSES)
      .meta({ description: "`completed`, `failed` and `cancelled` are final." }),
    example: "pending",
    app: true,
  }),
  agentId: field(nullable(uuid), {
    shown: idField
      .nullable()
      .meta({ description: "The agent that ran; of a creation null until the agent exists." }),
    example: EXAMPLE_IDS.agent_id,
    app: true,
    given: idField,
    absent: null,
    replay: "kept",
  }),
  /** Shown to who asks for it. */
  input: field(json<Record<string, unknown>>(), { given: inputField, replay: "kept" }),
  conversationId: field(nullable(uuid), {
    shown: idField.nullable().meta({ description: "Continue it with a later run." }),
    example: EXAMPLE_IDS.conversation_id,
    app: true,
    given: idField,
    absent: null,
    replay: "anew",
  }),
  workspaceId: field(nullable(uuid), {
    shown: idField.nullable(),
    example: null,
    app: true,
    given: idField,
    absent: null,
    replay: "kept",
  }),
  model: field(text(), {
    shown: z.string().meta({ description: "As `provider/name`." }),
    example: "anthropic/claude-sonnet-5-5",
    app: true,
    given: modelField,
    absent: null,
    replay: "anew",
  }),
  /** It may be gone. */
  replayedFrom: field(nullable(uuid), {
    shown: idField
      .nullable()
      .meta({ description: "The run that it replays; it may have been deleted since." }),
    example: null,
    app: false,
    initial: null,
  }),
  /** It may be gone. */
  parentRunId: field(nullable(uuid), {
    shown: idField.nullable().meta({
      description:
        "The run that started it: of an agent whose config lists this one's in " +
        "`tools.agents`, or of the super-agent.",
    }),
    example: null,
    app: false,
    initial: null,
  }),
  agentVersion: field(nullable(integer), {
    shown: z
      .number()
      .int()
      .nullable()
      .meta({
        description:
          "The number of the agent's version that it works by, whatever becomes of the agent " +
          "meanwhile: of a replay of a version that one, else the one that was current when " +
          "its first turn began; null until then, and where it works by no agent's config.",
      }),
    example: null,
    app: false,
    initial: null,
  }),
  /** The version that it keeps to, as its request names it: stored is which one that is. */
  version: field(computed<VersionName | null>(), {
    inner: true,
    given: versionField,
    absent: null,
    replay: "anew",
  }),
  /** It works by its agent as that is at each turn. */
  metadata: field(json<Record<string, string>>(), {
    shown: z.record(z.string(), z.string()).meta({ description: "Your own pairs." }),
    example: { customer: "c_42" },
    app: true,
    given: metadataField,
    absent: {},
    replay: "kept",
  }),
  endUser: field(nullable(text()), {
    shown: z.string().nullable().meta({
      description: "The person for whom it is, the same as `metadata.end_user`; null: nobody.",
    }),
    example: null,
    app: true,
    given: endUserField,
    absent: null,
    replay: "kept",
  }),
  maxCreditsMicros: field(nullable(bigInteger), {
    inner: true,
    wire: "max_credits",
    given: creditsField,
    take: toMicros,
    absent: null,
    replay: "kept",
  }),
  onBudget: field(nullable(text<OnBudget>()), {
    inner: true,
    given: onBudgetField.meta({
      description:
        "What becomes of it where its next step costs more than `max_credits`, or the " +
        "account, has left: it fails, or waits (`requires_action`) until the limit is raised " +
        "or the account topped up. Absent: as the agent's `limits.on_budget`, else `fail`.",
    }),
    absent: null,
    replay: "kept",
  }),
  webhookUrl: field(nullable(text()), {
    inner: true,
    given: webhookUrlField,
    absent: null,
    replay: "anew",
  }),
  shouldNotify: field(boolean, {
    inner: true,
    given: z.boolean().meta({
      description:
        "Tell the account's owners in the console, and by e-mail where the operator set mail " +
        "up, when the run ends.",
    }),
    absent: false,
    replay: "anew",
  }),
  requiresAction: field(nullable(json<RequiredAction>()), {
    shown: z
      .discriminatedUnion("type", [
        z.object({ type: z.literal("approval"), approval_id: idField }),
        z.object({
          type: z.literal("client_tool"),
          calls: z
            .array(z.object({ tool_call_id: z.string(), name: z.string(), arguments: z.unknown() }))
            .meta({ description: "The calls that have no result yet." }),
        }),
        z.object({
          type: z
            .literal("budget")
            .meta({ description: "Its next step may cost more than its limit has left." }),
          ...budgetShape,
          run_id: idField.optional().meta({
            description:
              "The run whose limit is to be raised, where that is another: a super-agent's, " +
              "or one that it started.",
          }),
        }),
        z.object({
          type: z
            .literal("credits")
            .meta({ description: "Its next step may cost more than the account has." }),
          ...budgetShape,
        }),
        z.object({
          type: z.literal("question"),
          question: z.string(),
          options: z.array(z.string()).optional().meta({
            description: "Answers that it proposes; any other will do, too.",
          }),
        }),
      ])
      .nullable()
      .meta({
        description:
          "What a running run waits for: a decision, results for its `tool-results`, " +
          "credits, or the answer to a question, which is the first of its `messages`; else " +
          "null.",
      }),
    example: null,
    app: true,
    initial: null,
  }),
  /** Its artifacts' urls are signed by the surfaces. */
  result: field(nullable(json<RunResult>()), {
    shown: runResultSchema.nullable().meta({ description: "Of a completed run." }),
    example: null,
    app: true,
    initial: null,
  }),
  usage: field(computed<Usage>(), {
    shown: usageSchema,
    example: { credits: 0, breakdown: [] },
    app: true,
    initial: { credits: 0, breakdown: [] },
  }),
  error: field(nullable(json<{ code: RunFailureCode; message: string }>()), {
    shown: runErrorSchema.nullable().meta({ description: "Of a failed run." }),
    example: null,
    app: true,
    initial: null,
  }),
  createdAt: field(time, { shown: timeField, example: "2026-01-31T09:30:00.000Z", app: true }),
  startedAt: field(nullable(time), {
    shown: nullableTime,
    example: null,
    app: true,
    initial: null,
  }),
  completedAt: field(nullable(time), {
    shown: nullableTime.meta({ description: "When it ended, whichever way." }),
    example: null,
    app: true,
    initial: null,
  }),
  webhookDeliveredAt: field(nullable(time), {
    shown: nullableTime.meta({ description: "When `webhook_url` first answered 2xx." }),
    example: null,
    app: true,
    initial: null,
  }),
  maxIsRaised: field(boolean, { inner: true }),
  versionIsNamed: field(boolean, { inner: true }),
  scheduleId: field(nullable(uuid), { inner: true }),
  origin: field(text<RunOrigin>(), { inner: true }),
  keyId: field(nullable(uuid), { inner: true }),
  parentCallId: field(nullable(text()), { inner: true }),
  historyOf: field(nullable(uuid), { inner: true }),
  queuedMs: field(integer, { inner: true }),
  releaseNote: field(nullable(text()), { inner: true }),
  traceParent: field(nullable(text()), { inner: true }),
});

/** What a request says of a run. */
export type RunSaid = GivenOf<typeof RUN_FIELDS>;
/** What a request that says nothing but its input says. */
export const UNSAID_RUN = unsaidOf(RUN_FIELDS);
/** What is there of a run as it begins, beside what its request and its acceptance say. */
export const BEGUN_RUN = initialOf(RUN_FIELDS);

type Table = typeof RUN_FIELDS;
type Replayed<Inner extends boolean> = {
  [K in keyof Table]: Table[K] extends { replay: "kept" }
    ? Table[K] extends { inner: true }
      ? Inner extends true
        ? K
        : never
      : Inner extends true
        ? never
        : K
    : never;
}[keyof Table];

/** What a replay takes over of a run's view. */
export const REPLAYED_SHOWN = replayed(false);
/** The same of what its view does not show. */
export const REPLAYED_INNER = replayed(true);

function replayed<Inner extends boolean>(inner: Inner): Replayed<Inner>[] {
  const table: Record<string, Field & RunField> = RUN_FIELDS;
  return Object.entries(table)
    .filter(([, field]) => field.replay === "kept" && (field.inner ?? false) === inner)
    .map(([key]) => key) as Replayed<Inner>[]; // which the type finds by the same rule
}
