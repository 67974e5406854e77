import "server-only";
import { z } from "zod";
import { operation } from "@/lib/api/http/operation";
import { EXAMPLE_IDS } from "@/lib/api/v1/schemas/example-ids";
import { idField, timeField } from "@/lib/api/v1/schemas/fields";
import { getAccountUsage } from "@/lib/domain/account/get-account-usage";

const usageSchema = z
  .object({
    credits: z.object({ available: z.number() }),
    used_24h: z.number(),
    by_model: z.array(z.object({ model: z.string(), credits: z.number(), input_tokens: z.number(), output_tokens: z.number() })),
    by_agent: z.array(
      z.object({ agent_id: idField.nullable(), agent_name: z.string().nullable(), credits: z.number(), runs: z.number().int() }),
    ),
    by_day: z.array(z.object({ day: z.string(), credits: z.number(), runs: z.number().int() })),
    window_start: timeField,
  })
  .meta({ id: "AccountUsage" });

const EXAMPLE_USAGE: z.output<typeof usageSchema> = {
  credits: { available: 941.2 },
  used_24h: 8.16,
  by_model: [{ model: "anthropic/claude-sonnet-4-5", credits: 8.16, input_tokens: 1620, output_tokens: 220 }],
  by_agent: [{ agent_id: EXAMPLE_IDS.agent_id, agent_name: "Sales reader", credits: 8.16, runs: 1 }],
  by_day: [{ day: "2026-01-31", credits: 8.16, runs: 1 }],
  window_start: "2026-01-30T10:00:00.000Z",
};

export const getAccountUsageOperation = operation({
  method: "GET",
  path: "/v1/account/usage",
  operationId: "getAccountUsage",
  tag: "Account",
  summary: "Wallet and spend",
  description:
    "The wallet's balance less what running runs have reserved, and the spend of the last 24 hours by model and agent, and of 30 days by day.",
  responses: [{ status: 200, description: "Balance and spend, in credits.", schema: usageSchema, examples: { usage: EXAMPLE_USAGE } }],
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
