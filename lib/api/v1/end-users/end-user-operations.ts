import "server-only";
import { z } from "zod";
import {
  NDJSON_HEADERS,
  ndjson,
  type Operation,
  operation,
  toList,
} from "@/lib/api/http/operation";
import {
  EXAMPLE_IDS,
  examplePage,
  listOf,
  listQuery,
  nullableTime,
  timeField,
} from "@/lib/api/schemas/fields";
import { requestErasure } from "@/lib/domain/deletion/request-erasure";
import {
  type EndUserDetails,
  type EndUserView,
  getEndUser,
  listEndUsers,
} from "@/lib/domain/end-users/end-user-view";
import { exportEndUser } from "@/lib/domain/end-users/export-end-user";
import { setEndUserLimits } from "@/lib/domain/end-users/set-end-user-limits";
import { openStream } from "@/lib/domain/runs/open-stream";
import { endUserField, namedEndUserField } from "@/lib/model/end-user";
import { creditsField } from "@/lib/model/fields/shared-fields";

const endUserFields = {
  end_user: z.string().meta({ description: "Your name for them." }),
  status: z
    .enum(["active", "erasing"])
    .meta({ description: "`erasing`: their erasure is under way, and nothing is kept for them." }),
  max_credits_per_day: z
    .number()
    .nullable()
    .meta({
      description:
        "What their runs may cost a day (UTC), in credits; null: only the account's wallet " +
        "limits them.",
    }),
  created_at: timeField,
  last_seen_at: nullableTime.meta({
    description: "When a run of theirs was last accepted, to a minute.",
  }),
};

const endUserSchema = z.object(endUserFields).meta({
  id: "EndUser",
  description: "A person whom your backend acts for, under the name that it gives them.",
});

const countField = z.number().int().min(0);
const endUserDetailsSchema = z
  .object({
    ...endUserFields,
    usage: z.object({
      credits_today: z.number().meta({ description: "Since 00:00 UTC." }),
      credits_30_days: z.number(),
    }),
    counts: z.object({
      runs: countField,
      conversations: countField,
      memories: countField,
      files: countField.meta({ description: "Of their runs." }),
      artifacts: countField,
    }),
  })
  .meta({ id: "EndUserDetails" });

const erasureSchema = z
  .object({
    end_user: z.string(),
    status: z.literal("erasing"),
    requested_at: timeField,
  })
  .meta({ id: "EndUserErasure" });

const exportLineSchema = z
  .looseObject({
    type: z.enum([
      "end_user",
      "run",
      "message",
      "run_message",
      "artifact",
      "file",
      "conversation",
      "memory",
      "schedule",
      "secret",
      "connection",
      "request",
      "end",
    ]),
  })
  .meta({
    id: "EndUserExportLine",
    description: "One thing that is kept of them. New types and fields may be added.",
  });

const toWire = (person: EndUserView): z.output<typeof endUserSchema> => ({
  end_user: person.endUser,
  status: person.status,
  max_credits_per_day: person.maxCreditsPerDay,
  created_at: person.createdAt.toISOString(),
  last_seen_at: person.lastSeenAt?.toISOString() ?? null,
});

const toDetails = (person: EndUserDetails): z.output<typeof endUserDetailsSchema> => ({
  ...toWire(person),
  usage: {
    credits_today: person.usage.creditsToday,
    credits_30_days: person.usage.credits30Days,
  },
  counts: person.counts,
});

const EXAMPLE: z.output<typeof endUserSchema> = {
  end_user: "u_42",
  status: "active",
  max_credits_per_day: 50,
  created_at: "2026-01-12T08:00:00.000Z",
  last_seen_at: "2026-01-31T09:30:00.000Z",
};
const EXAMPLE_DETAILS: z.output<typeof endUserDetailsSchema> = {
  ...EXAMPLE,
  usage: { credits_today: 1.25, credits_30_days: 18.4 },
  counts: { runs: 31, conversations: 4, memories: 6, files: 2, artifacts: 3 },
};

const ITEM = "/v1/end-users/{end_user}";
const params = z.object({
  end_user: namedEndUserField.meta({ description: "Your name for the person, percent-encoded." }),
});

const listEndUsersOperation = operation({
  method: "GET",
  path: "/v1/end-users",
  operationId: "listEndUsers",
  tag: "End users",
  summary: "List end users",
  description:
    "The people for whom your account has runs, schedules, limits, secrets or connections " +
    "(`end_user`), those who came last first.",
  query: z.object({
    ...listQuery,
    prefix: namedEndUserField.optional().meta({
      description: "Only those whose name begins with this text.",
      example: "u_4",
    }),
  }),
  responses: [
    {
      status: 200,
      description: "A page of end users.",
      schema: listOf(endUserSchema),
      examples: examplePage(EXAMPLE),
    },
  ],
  errors: ["INVALID_INPUT"],
  async handle({ principal, query }) {
    return {
      status: 200,
      body: toList(await listEndUsers(principal, query, query.prefix ?? null), toWire),
    };
  },
});

const getEndUserOperation = operation({
  method: "GET",
  path: ITEM,
  operationId: "getEndUser",
  tag: "End users",
  summary: "Fetch an end user",
  description:
    "How much there is of a person, what they used and when they were last seen. Of one who " +
    "was erased: 410 with the receipt in `deleted`.",
  params,
  responses: [
    {
      status: 200,
      description: "The end user.",
      schema: endUserDetailsSchema,
      examples: { active: EXAMPLE_DETAILS },
    },
  ],
  errors: ["INVALID_INPUT", "END_USER_NOT_FOUND", "END_USER_ERASED"],
  async handle({ principal, params }) {
    return { status: 200, body: toDetails(await getEndUser(principal, params.end_user)) };
  },
});

const exportEndUserOperation = operation({
  method: "GET",
  path: `${ITEM}/export`,
  operationId: "exportEndUser",
  tag: "End users",
  summary: "Export an end user",
  description:
    "All that is kept of a person, one JSON object a line: who it is, their runs with inputs " +
    "and results, each run's messages (`message`: its turns in the conversation; " +
    "`run_message`: what was said to it while it was at work, shown to its model or not), " +
    "artifacts and files (without their bytes), then conversations, memories, schedules, and " +
    "their own secrets and connections (without what is sealed). The last line is `end` with " +
    "the number of lines; an export without it was cut.",
  params,
  responses: [
    {
      status: 200,
      description: "One JSON object a line.",
      schema: exportLineSchema,
      contentType: "application/x-ndjson",
      headers: NDJSON_HEADERS,
      examples: {
        memory: {
          type: "memory",
          memory_id: EXAMPLE_IDS.memory_id,
          agent_id: EXAMPLE_IDS.agent_id,
          text: "Prefers reports in German.",
          created_at: "2026-01-31T09:30:03.000Z",
        },
        end: { type: "end", lines: 47 },
      },
    },
  ],
  errors: ["INVALID_INPUT", "END_USER_NOT_FOUND", "END_USER_ERASED", "RATE_LIMITED"],
  async handle({ principal, params, request }) {
    return ndjson(
      await openStream(principal, () => exportEndUser(principal, params.end_user, request.signal)),
    );
  },
});

const eraseEndUserOperation = operation({
  method: "DELETE",
  path: ITEM,
  operationId: "eraseEndUser",
  tag: "End users",
  summary: "Erase an end user",
  description:
    "Erases a person for good: their runs with inputs, results, events, traces, files and " +
    "artifacts, conversations, memories, schedules, secrets and connections, and what " +
    "workspaces, webhooks, the audit log and kept answers hold of them. Runs at work are " +
    "cancelled, and until it is done nothing new is accepted for them (409). Then `GET` " +
    "answers 410 with a receipt that does not name them; what they cost stays in the " +
    "account's books, without their name. A new run under the same name begins a new person, " +
    "and the receipt gives way.",
  hourlyWrite: true,
  params,
  creates: ["nothing"],
  responses: [
    {
      status: 202,
      description: "The erasure has begun, now or before.",
      schema: erasureSchema,
      examples: {
        erasing: {
          end_user: "u_42",
          status: "erasing",
          requested_at: "2026-01-31T10:00:00.000Z",
        },
      },
    },
  ],
  errors: ["INVALID_INPUT", "END_USER_NOT_FOUND", "END_USER_ERASED"],
  async handle({ principal, params }) {
    const requestedAt = await requestErasure(principal, params.end_user);
    return {
      status: 202,
      body: {
        end_user: params.end_user,
        status: "erasing",
        requested_at: requestedAt.toISOString(),
      },
    };
  },
});

const setEndUserLimitsOperation = operation({
  method: "PUT",
  path: `${ITEM}/limits`,
  operationId: "setEndUserLimits",
  tag: "End users",
  summary: "Limit an end user",
  description:
    "What the person's runs may cost a day (UTC) together; null clears it. A run that does " +
    "not fit any more is refused with 402 `INSUFFICIENT_CREDITS`; one at work ends with " +
    "`BUDGET_EXCEEDED` before the call that would pass it. The person need not have been " +
    "seen before.",
  hourlyWrite: true,
  params: z.object({ end_user: endUserField }),
  body: z
    .strictObject({
      max_credits_per_day: creditsField
        .nullable()
        .meta({ description: "In credits, from 00:00 to 24:00 UTC; null: no limit." }),
    })
    .meta({ id: "SetEndUserLimitsRequest" }),
  examples: { limit: { max_credits_per_day: 50 }, none: { max_credits_per_day: null } },
  responses: [
    {
      status: 200,
      description: "The end user.",
      schema: endUserDetailsSchema,
      examples: { active: EXAMPLE_DETAILS },
    },
  ],
  errors: ["INVALID_INPUT", "CONFLICT"],
  async handle({ principal, params, body }) {
    const limits = { maxCreditsPerDay: body.max_credits_per_day };
    return {
      status: 200,
      body: toDetails(await setEndUserLimits(principal, params.end_user, limits)),
    };
  },
});

export const END_USER_OPERATIONS: Operation[] = [
  listEndUsersOperation,
  getEndUserOperation,
  exportEndUserOperation,
  eraseEndUserOperation,
  setEndUserLimitsOperation,
];
