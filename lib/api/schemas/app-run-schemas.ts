import "server-only";
import { z } from "zod";
import { appActionsFields } from "@/lib/api/schemas/action-schemas";
import { camelSchema, camelShape, camelValue, toCamelCase } from "@/lib/api/schemas/camel-case";
import { EXAMPLE_IDS, idField } from "@/lib/api/schemas/fields";
import { ifBusyField } from "@/lib/api/schemas/if-busy-field";
import { toWireValue, wireOf } from "@/lib/api/schemas/noun-wire";
import { signArtifacts } from "@/lib/domain/artifacts/sign-artifacts";
import type { StartedRun } from "@/lib/domain/runs/accept-run";
import { type Field, keysOf } from "@/lib/model/fields/field-table";
import { RUN_FIELDS, type RunSaid } from "@/lib/model/run/run-fields";
import type { IfBusy } from "@/lib/model/run/run-message";
import { runResultSchema, usageSchema } from "@/lib/model/run/run-result-schemas";

/** What of a result this path does not show: builds are not started on it. */
const appResult = runResultSchema.omit({ build: true, raw_output: true });

/** What a run cost, in the words of the app-scoped path. */
export const appUsageSchema = camelSchema(usageSchema);

/** A run's result in the words of the app-scoped path and of webhooks. */
export const appRunResultSchema = camelSchema(appResult).meta({ id: "AppRunResult" });

/** The fields that this path shows under their own names, each with how `/v1` does. */
const shown = keysOf(RUN_FIELDS).flatMap((key) => {
  const field: Field & { app?: boolean } = RUN_FIELDS[key];
  if (!field.shown || !field.app || key === "id" || key === "agentId") return [];
  const schema = key === "result" ? appResult.nullable() : field.shown;
  return [{ key, schema, example: field.example }];
});

export const appRunSchema = z
  .object({
    runId: idField,
    appId: idField,
    ...Object.fromEntries(shown.map(({ key, schema }) => [key, camelSchema(schema)])),
    threadId: idField.nullable().meta({ description: "The same as `conversationId`." }),
    result: appRunResultSchema.nullable(),
    messageId: idField.optional().meta({
      description: "The message that the request became; only in the answer to `ifBusy: steer`.",
    }),
    ...appActionsFields,
  })
  .meta({ id: "AppRun", description: "A run of the app-scoped path." });

/**
 * A run in the words of the app-scoped path, camelCase to the bottom; what the model put into
 * `data` stays as it is. Artifact urls are signed anew.
 */
export function toAppRun(run: StartedRun, baseUrl: string): Record<string, unknown> {
  const result = run.result && signArtifacts(run.result, { accountId: run.accountId, baseUrl });
  const signed = { ...run, result };
  return {
    runId: run.id,
    appId: run.agentId,
    ...(run.message && { messageId: run.message.messageId }),
    ...Object.fromEntries(
      shown.map(({ key, schema }) => [
        key,
        camelValue(schema, toWireValue(Reflect.get(signed, key))),
      ]),
    ),
    threadId: run.conversationId,
  };
}

/** A run of the app-scoped path that was accepted just now. */
export const EXAMPLE_APP_RUN = {
  runId: EXAMPLE_IDS.run_id,
  appId: EXAMPLE_IDS.agent_id,
  ...Object.fromEntries(
    shown.map(({ key, schema, example }) => [key, camelValue(schema, example)]),
  ),
  threadId: EXAMPLE_IDS.conversation_id,
};

/** A page of them: camelCase here too. */
export const appRunPageSchema = z
  .object({ data: z.array(appRunSchema), hasMore: z.boolean(), nextCursor: z.string().nullable() })
  .meta({ id: "AppRunPage" });

const { fromBody, given } = wireOf(RUN_FIELDS);
// Which version it is says the key.
const { input, agent_id, version, conversation_id, webhook_url, should_notify, ...more } = given;
/** What a start says as that of `/v1` does; in this order its hash knows it. */
const SAID = { conversation_id, webhook_url, should_notify, ...more };

export const createAppRunBody = z
  .strictObject({ inputs: input, ...camelShape(SAID), ifBusy: ifBusyField.optional() })
  .meta({ id: "CreateAppRunRequest" });

/** What the body of a start says, in the domain's words. */
export function toAppRunInput({
  ifBusy,
  ...body
}: Record<string, unknown> & { ifBusy?: IfBusy | undefined }): RunSaid & { ifBusy?: IfBusy } {
  const said = Object.keys(SAID).map((name) => [name, body[toCamelCase(name)]]);
  const run = fromBody({ input: body.inputs, ...Object.fromEntries(said) });
  return { ...run, ...(ifBusy && { ifBusy }) };
}
