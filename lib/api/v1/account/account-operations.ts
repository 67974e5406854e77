import "server-only";
import { z } from "zod";
import { type Operation, operation } from "@/lib/api/http/operation";
import { EXAMPLE_IDS, idField, nullableTime, timeField } from "@/lib/api/schemas/fields";
import { getAccount } from "@/lib/domain/account/get-account";
import { getAccountUsage } from "@/lib/domain/account/get-account-usage";
import {
  rotateSigningSecret,
  type SigningSecret,
  showSigningSecret,
} from "@/lib/domain/webhooks/signing-secret";

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

const getAccountUsageOperation = operation({
  method: "GET",
  path: "/v1/account/usage",
  operationId: "getAccountUsage",
  tag: "Account",
  summary: "Wallet and spend",
  description:
    "The wallet's balance less what running runs have reserved, and the spend of the last 24 hours by model and agent, and of 30 days by day.",
  responses: [
    {
      status: 200,
      description: "Balance and spend, in credits.",
      schema: usageSchema,
      examples: { usage: EXAMPLE_USAGE },
    },
  ],
  errors: [],
  async handle({ principal }) {
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
    "The secret that signs the account's webhooks. It is made when it is first asked for, or when the first webhook is sent; who asks is noted in the audit log.",
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
    "Makes a fresh secret. During the overlap webhooks carry a signature of each, so that receivers can change over one by one; 0 ends the old secret at once.",
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
