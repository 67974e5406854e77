import "server-only";
import { z } from "zod";
import { type Operation, operation } from "@/lib/api/http/operation";
import { asksFor } from "@/lib/api/http/request";
import { EXAMPLE_IDS, idField, nullableTime, timeField } from "@/lib/api/schemas/fields";
import { getAccount } from "@/lib/domain/account/get-account";
import { getAccountUsage } from "@/lib/domain/account/get-account-usage";
import {
  groupUsage,
  lastDays,
  USAGE_GROUPS,
  USAGE_MAX_DAYS,
  USAGE_ROWS_MAX,
  type UsageGroup,
  type UsageGroupName,
} from "@/lib/domain/account/group-usage";
import {
  rotateSigningSecret,
  type SigningSecret,
  showSigningSecret,
} from "@/lib/domain/webhooks/signing-secret";
import { namedEndUserField } from "@/lib/model/end-user";
import { toCsv } from "@/lib/model/text/csv";

const accountSchema = z
  .object({
    account_id: idField,
    name: z.string(),
    limits: z.object({
      requests_per_minute: z.number().int().nullable(),
      read_per_minute: z.number().int().nullable(),
      runs_per_minute: z.number().int().nullable(),
      writes_per_hour: z.number().int(),
    }),
    blocked: z.boolean(),
    super_agent_access: z.boolean(),
  })
  .meta({ id: "Account" });

const EXAMPLE_ACCOUNT: z.output<typeof accountSchema> = {
  account_id: EXAMPLE_IDS.account_id,
  name: "Harbour Coffee",
  limits: {
    requests_per_minute: 30,
    read_per_minute: null,
    runs_per_minute: null,
    writes_per_hour: 30,
  },
  blocked: false,
  super_agent_access: false,
};

const getAccountOperation = operation({
  method: "GET",
  path: "/v1/account",
  operationId: "getAccount",
  tag: "Account",
  summary: "The calling account",
  description: "The account of the key, with its limits.",
  responses: [
    {
      status: 200,
      description: "The account.",
      schema: accountSchema,
      examples: { account: EXAMPLE_ACCOUNT },
    },
  ],
  errors: [],
  async handle({ principal }) {
    const account = await getAccount(principal);
    const { limits } = account;
    return {
      status: 200,
      body: {
        account_id: account.id,
        name: account.name,
        limits: {
          requests_per_minute: limits.requestsPerMinute,
          read_per_minute: limits.readPerMinute,
          runs_per_minute: limits.runsPerMinute,
          writes_per_hour: limits.writesPerHour,
        },
        blocked: account.blocked,
        super_agent_access: account.superAgentAccess,
      },
    };
  },
});

const usageGroupSchema = z
  .object({
    day: z.string().optional(),
    end_user: z
      .string()
      .nullable()
      .optional()
      .meta({ description: "Null: of nobody, or of a person who was erased." }),
    key_id: idField
      .nullable()
      .optional()
      .meta({
        description:
          "The key that asked for the runs, or made the client token that did. Null: a " +
          "schedule or the console, or of before keys were noted.",
      }),
    key_name: z.string().nullable().optional(),
    model: z.string().optional(),
    agent_id: idField.nullable().optional(),
    agent_name: z.string().nullable().optional(),
    credits: z.number(),
    runs: z.number().int().meta({
      description: "Runs that made such a call: one that used two models is one of each.",
    }),
    input_tokens: z.number(),
    output_tokens: z.number(),
    cached_input_tokens: z.number().meta({ description: "Of the input tokens." }),
  })
  .meta({
    id: "UsageGroup",
    description: "It has the fields that it is grouped by, and no others of them.",
  });

const usageSchema = z
  .object({
    credits: z.object({ available: z.number() }),
    used_24h: z.number(),
    by_model: z.array(
      z.object({
        model: z.string(),
        credits: z.number(),
        input_tokens: z.number(),
        output_tokens: z.number(),
      }),
    ),
    by_agent: z.array(
      z.object({
        agent_id: idField.nullable(),
        agent_name: z.string().nullable(),
        credits: z.number(),
        runs: z.number().int(),
      }),
    ),
    by_day: z.array(z.object({ day: z.string(), credits: z.number(), runs: z.number().int() })),
    window_start: timeField,
    groups: z
      .array(usageGroupSchema)
      .optional()
      .meta({
        description:
          "With `group_by`, `from`, `to` or `end_user` alone: what was used from `from` to " +
          "`to`, by day the oldest first, else those who used most first.",
      }),
    groups_truncated: z
      .boolean()
      .optional()
      .meta({
        description:
          "There with `groups`: there are more than the " +
          `${USAGE_ROWS_MAX.toLocaleString("en-US")} groups that are shown.`,
      }),
    from: z.string().optional().meta({ description: "There with `groups`: the first day (UTC)." }),
    to: z.string().optional().meta({ description: "There with `groups`: the last day." }),
  })
  .meta({ id: "AccountUsage" });

const EXAMPLE_USAGE: z.output<typeof usageSchema> = {
  credits: { available: 941.2 },
  used_24h: 8.16,
  by_model: [
    { model: "anthropic/claude-sonnet-5-5", credits: 8.16, input_tokens: 1620, output_tokens: 220 },
  ],
  by_agent: [
    { agent_id: EXAMPLE_IDS.agent_id, agent_name: "Sales reader", credits: 8.16, runs: 1 },
  ],
  by_day: [{ day: "2026-01-31", credits: 8.16, runs: 1 }],
  window_start: "2026-01-30T10:00:00.000Z",
};

const EXAMPLE_GROUP: z.output<typeof usageGroupSchema> = {
  day: "2026-01-31",
  end_user: "u_42",
  credits: 8.16,
  runs: 1,
  input_tokens: 1620,
  output_tokens: 220,
  cached_input_tokens: 0,
};

const dayField = z.iso
  .date("must be a day such as 2026-01-31")
  .optional()
  .meta({ example: "2026-01-31" });

const usageQuery = z.object({
  group_by: z
    .string()
    .max(100)
    .transform((text) => [...new Set(text.split(","))])
    .pipe(z.array(z.enum(USAGE_GROUPS, `must be of ${USAGE_GROUPS.join(", ")}`)).min(1))
    .optional()
    .meta({
      description:
        "What to tell usage apart by, with commas between them: " +
        `${USAGE_GROUPS.map((name) => `\`${name}\``).join(", ")}. Where \`from\`, \`to\` or ` +
        "`end_user` is given, and of a table, by day without it.",
      examples: ["day,end_user"],
      override: { type: "string", maxLength: 100, items: undefined, minItems: undefined },
    }),
  from: dayField.meta({
    description:
      `Of the groups: the first day (UTC), at most ${USAGE_MAX_DAYS} with the last one. Without ` +
      "it, 29 days before the last one.",
    example: "2026-01-01",
  }),
  to: dayField.meta({ description: "Of the groups: the last day. Without it, today." }),
  end_user: namedEndUserField.optional().meta({
    description: "Of the groups: only what this person's runs used.",
    example: "u_42",
  }),
});

const CSV = "text/csv";
/** The columns of a group, as they are told. */
const CSV_COLUMNS: Record<UsageGroupName, (keyof z.output<typeof usageGroupSchema>)[]> = {
  day: ["day"],
  end_user: ["end_user"],
  key: ["key_id", "key_name"],
  model: ["model"],
  agent: ["agent_id", "agent_name"],
};
const CSV_FIGURES = [
  "credits",
  "runs",
  "input_tokens",
  "output_tokens",
  "cached_input_tokens",
] as const;

function toGroup(group: UsageGroup): z.output<typeof usageGroupSchema> {
  const { day, endUser, key, model, agent } = group;
  return {
    ...(day !== undefined && { day }),
    ...(endUser !== undefined && { end_user: endUser }),
    ...(key !== undefined && { key_id: key?.id ?? null, key_name: key?.name ?? null }),
    ...(model !== undefined && { model }),
    ...(agent !== undefined && { agent_id: agent?.id ?? null, agent_name: agent?.name ?? null }),
    credits: group.credits,
    runs: group.runs,
    input_tokens: group.inputTokens,
    output_tokens: group.outputTokens,
    cached_input_tokens: group.cachedInputTokens,
  };
}

/** The days that are asked for; where only the last one is, the thirty that end with it. */
function spanOf({ from, to }: { from?: string; to?: string }): { from: string; to: string } {
  const today = lastDays();
  const last = to ?? today.to;
  return { from: from ?? lastDays(new Date(`${last}T00:00:00Z`)).from, to: last };
}

/** A file that spreadsheets open; a table that was cut says so in a header. */
function toCsvFile(
  groupBy: readonly UsageGroupName[],
  { groups, isTruncated }: Awaited<ReturnType<typeof groupUsage>>,
  { from, to }: { from: string; to: string },
): Response {
  const columns = [...groupBy.flatMap((name) => CSV_COLUMNS[name]), ...CSV_FIGURES];
  const rows = groups.map(toGroup).map((group) => columns.map((name) => group[name] ?? null));
  return new Response(toCsv(columns, rows), {
    headers: {
      "content-type": `${CSV}; charset=utf-8; header=present`,
      "content-disposition": `attachment; filename="usage-${from}-${to}.csv"`,
      "cache-control": "no-store",
      vary: "Accept",
      ...(isTruncated && { "x-truncated": "true" }),
    },
  });
}

const getAccountUsageOperation = operation({
  method: "GET",
  path: "/v1/account/usage",
  operationId: "getAccountUsage",
  tag: "Account",
  summary: "Wallet and spend",
  description:
    "The wallet's balance less what running runs have reserved, and the spend of the last 24 " +
    "hours by model and agent, and of 30 days by day. With `group_by`, `from`, `to` or " +
    "`end_user` also what was used by day, end user, key, model and agent, in any " +
    "combination, by day where `group_by` says nothing else; `Accept: text/csv` gives that " +
    "table alone.",
  query: usageQuery,
  responses: [
    {
      status: 200,
      description: "Balance and spend, in credits.",
      schema: usageSchema,
      examples: {
        usage: EXAMPLE_USAGE,
        grouped: {
          ...EXAMPLE_USAGE,
          groups: [EXAMPLE_GROUP],
          groups_truncated: false,
          from: "2026-01-02",
          to: "2026-01-31",
        },
      },
    },
    {
      status: 200,
      description:
        "The groups as a table (RFC 4180), its first line the names of the columns. A text " +
        "that a spreadsheet would compute begins with an apostrophe.",
      contentType: CSV,
    },
  ],
  errors: ["INVALID_INPUT"],
  async handle({ principal, query, request }) {
    const isCsv = asksFor(request, CSV);
    // A span or a person is of the groups alone: whoever names one wants to be told of it.
    const wantsGroups = isCsv || [query.from, query.to, query.end_user].some((given) => given);
    const groupBy = query.group_by ?? (wantsGroups ? (["day"] as const) : null);
    const span = spanOf(query);
    const grouped =
      groupBy &&
      (await groupUsage(principal, { groupBy, ...span, endUser: query.end_user ?? null }));
    if (isCsv && groupBy && grouped) return toCsvFile(groupBy, grouped, span);
    const usage = await getAccountUsage(principal);
    return {
      status: 200,
      body: {
        credits: { available: usage.available },
        used_24h: usage.used24h,
        by_model: usage.byModel,
        by_agent: usage.byAgent,
        by_day: usage.byDay,
        window_start: usage.windowStart.toISOString(),
        ...(grouped && {
          groups: grouped.groups.map(toGroup),
          groups_truncated: grouped.isTruncated,
          ...span,
        }),
      },
    };
  },
});

const OVERLAP_MAX_MINUTES = 43_200;
const OVERLAP_DEFAULT_MINUTES = 1_440;

const secretSchema = z
  .object({
    webhook_secret: z.string().meta({
      description: "`whsec_…`: what a receiver checks signatures with, by Standard Webhooks.",
    }),
    created_at: timeField,
    previous_expires_at: nullableTime.meta({
      description: "Until then the secret before this one signs along; null outside of a rotation.",
    }),
  })
  .meta({ id: "WebhookSecret" });

const EXAMPLE_SECRET: z.output<typeof secretSchema> = {
  webhook_secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=",
  created_at: "2026-01-31T09:30:00.000Z",
  previous_expires_at: null,
};

function toSecret({
  secret,
  createdAt,
  previousExpiresAt,
}: SigningSecret): z.output<typeof secretSchema> {
  return {
    webhook_secret: secret,
    created_at: createdAt.toISOString(),
    previous_expires_at: previousExpiresAt?.toISOString() ?? null,
  };
}

const getAccountWebhookSecretOperation = operation({
  method: "GET",
  path: "/v1/account/webhook-secret",
  operationId: "getWebhookSecret",
  // It makes the first one.
  provenOnly: true,
  tag: "Webhooks",
  summary: "The signing secret",
  description:
    "The secret that signs the account's webhooks. It is made when it is first asked for, or " +
    "when the first webhook is sent; who asks is noted in the audit log.",
  responses: [
    {
      status: 200,
      description: "The secret.",
      schema: secretSchema,
      examples: { secret: EXAMPLE_SECRET },
    },
  ],
  errors: [],
  async handle({ principal }) {
    return { status: 200, body: toSecret(await showSigningSecret(principal)) };
  },
});

const rotateAccountWebhookSecretOperation = operation({
  method: "POST",
  path: "/v1/account/webhook-secret/rotate",
  operationId: "rotateWebhookSecret",
  tag: "Webhooks",
  summary: "Rotate the signing secret",
  description:
    "Makes a fresh secret. During the overlap webhooks carry a signature of each, so that " +
    "receivers can change over one by one; 0 ends the old secret at once.",
  body: z.strictObject({
    overlap_minutes: z
      .number()
      .int("must be a whole number of minutes")
      .min(0, `must be 0 to ${OVERLAP_MAX_MINUTES}`)
      .max(OVERLAP_MAX_MINUTES, `must be 0 to ${OVERLAP_MAX_MINUTES}`)
      .default(OVERLAP_DEFAULT_MINUTES)
      .meta({ description: "Minutes for which the secret before signs along." }),
  }),
  bodyOptional: true,
  hourlyWrite: true,
  examples: { overlap: { overlap_minutes: 60 } },
  responses: [
    {
      status: 200,
      description: "The fresh secret.",
      schema: secretSchema,
      examples: { rotated: { ...EXAMPLE_SECRET, previous_expires_at: "2026-01-31T10:30:00.000Z" } },
    },
  ],
  errors: ["INVALID_INPUT", "CONFLICT"],
  async handle({ principal, body }) {
    return {
      status: 200,
      body: toSecret(await rotateSigningSecret(principal, body.overlap_minutes)),
    };
  },
});

export const ACCOUNT_OPERATIONS: Operation[] = [getAccountOperation, getAccountUsageOperation];

export const WEBHOOK_SECRET_OPERATIONS: Operation[] = [
  getAccountWebhookSecretOperation,
  rotateAccountWebhookSecretOperation,
];
