import "server-only";
import { z } from "zod";
import { operation } from "@/lib/api/http/operation";
import { EXAMPLE_IDS } from "@/lib/api/v1/schemas/example-ids";
import { idField } from "@/lib/api/v1/schemas/fields";
import { getAccount } from "@/lib/domain/account/get-account";

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
  limits: { requests_per_minute: 30, read_per_minute: null, runs_per_minute: null, writes_per_hour: 30 },
  blocked: false,
  super_agent_access: false,
};

export const getAccountOperation = operation({
  method: "GET",
  path: "/v1/account",
  operationId: "getAccount",
  tag: "Account",
  summary: "The calling account",
  description: "The account of the key, with its limits.",
  responses: [{ status: 200, description: "The account.", schema: accountSchema, examples: { account: EXAMPLE_ACCOUNT } }],
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
