import "server-only";
import { Cron } from "croner";
import { z } from "zod";
import { parseTriggerCondition, parseWaitCondition } from "@/lib/engine/embedded/condition";
import type { FunctionSpec } from "@/lib/engine/embedded/function-spec";
import { ownCallHeaders } from "@/lib/engine/embedded/own-calls";

const DEFAULT_RETRIES = 3;
const limitSchema = z.strictObject({
  limit: z.int().min(1),
  key: z.string().regex(/^event\.data\.[A-Za-z_]\w*$/),
});
const triggerSchema = z.union([
  z.strictObject({ event: z.string(), expression: z.string().optional() }),
  z.strictObject({ cron: z.string() }),
]);
// Strict on purpose: an option that is not listed here is refused by its name rather than ignored.
const functionSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  triggers: z.array(triggerSchema),
  steps: z.record(z.string(), z.object({ retries: z.object({ attempts: z.int().min(0) }).optional() })),
  concurrency: z.union([z.int().min(1), limitSchema, z.array(limitSchema).max(2)]).optional(),
  cancel: z.array(z.strictObject({ event: z.string(), if: z.string() })).optional(),
});

type FunctionConfig = z.infer<typeof functionSchema>;

/**
 * Asks the SDK's own handler for the configuration of its functions. Throws one sentence that names the function and the option
 * when a function needs what the embedded executor cannot do.
 */
export async function readFunctions(handler: (request: Request) => Promise<Response>): Promise<FunctionSpec[]> {
  const url = "http://localhost/api/inngest";
  const headers = {
    host: "localhost",
    "content-type": "application/json",
    "x-inngest-sync-kind": "in_band",
    "x-inngest-server-kind": "dev",
    ...ownCallHeaders(),
  };
  const response = await handler(new Request(url, { method: "PUT", headers, body: JSON.stringify({ url }) }));
  const { functions } = z.object({ functions: z.array(z.unknown()) }).parse(await response.json());
  return functions.map(readFunction);
}

function readFunction(raw: unknown): FunctionSpec {
  const parsed = functionSchema.safeParse(raw);
  const id = z.object({ id: z.string() }).safeParse(raw).data?.id ?? "?";
  if (!parsed.success) throw new Error(`The embedded executor cannot run the function "${id}": ${explain(parsed.error)}.`);
  try {
    return toSpec(parsed.data);
  } catch (error) {
    throw new Error(`The embedded executor cannot run the function "${id}": ${error instanceof Error ? error.message : String(error)}.`);
  }
}

function explain(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue?.code === "unrecognized_keys") return `it does not support ${[...issue.path, issue.keys.join(", ")].join(".")}`;
  return `its ${issue?.path.join(".")} is not supported (${issue?.message})`;
}

function toSpec(config: FunctionConfig): FunctionSpec {
  const events = config.triggers.flatMap((trigger) => ("event" in trigger ? [trigger] : []));
  const internal = events.find(({ event }) => event.startsWith("inngest/") && event !== "inngest/function.failed");
  if (internal) throw new Error(`it does not support the trigger ${internal.event}`);
  return {
    id: config.id,
    retries: config.steps.step?.retries?.attempts ?? DEFAULT_RETRIES,
    events: events.map(({ event, expression }) => ({ name: event, condition: expression ? parseTriggerCondition(expression) : null })),
    crons: config.triggers.flatMap((trigger) => ("cron" in trigger ? [toCron(trigger.cron)] : [])),
    cancels: (config.cancel ?? []).map(({ event, if: text }) => ({ event, condition: parseWaitCondition(text) })),
    limits: toLimits(config.concurrency),
  };
}

function toLimits(concurrency: FunctionConfig["concurrency"]): FunctionSpec["limits"] {
  if (concurrency === undefined) return [];
  if (typeof concurrency === "number") return [{ limit: concurrency, field: null }];
  const list = Array.isArray(concurrency) ? concurrency : [concurrency];
  return list.map(({ limit, key }) => ({ limit, field: key.replace("event.data.", "") }));
}

/** Throws here, at start-up, for a pattern that does not exist, has seconds or names a time zone. */
function toCron(text: string): string {
  try {
    new Cron(text, { mode: "5-part", paused: true }).nextRun();
  } catch (error) {
    throw new Error(`its cron trigger "${text}" is not supported (${error instanceof Error ? error.message : String(error)})`);
  }
  return text;
}
