import "server-only";
import { Cron } from "croner";
import { z } from "zod";
import { isRecord, ownCallHeaders } from "@/lib/engine/embedded/protocol";

/** What the executor knows of one function, read from the configuration that the SDK reports. */
export interface FunctionSpec {
  /** With the client's id in front, as the call protocol names it. */
  id: string;
  /** Tries after the first one, of each step and of the function itself. */
  retries: number;
  events: { name: string; condition: TriggerCondition | null }[];
  /** Patterns of five fields. */
  crons: string[];
  cancels: { event: string; condition: WaitCondition }[];
  /**
   * At most `limit` runs work at once: of all, or of those with the same value in `field` of the
   * event's data.
   */
  limits: { limit: number; field: string | null }[];
}

/** What a trigger asks of its event: `event.data.kind == "x"`. */
interface TriggerCondition {
  field: string;
  value: string;
}

/**
 * What a wait asks of an event to come: `async.data.id == "x"`, or `event.data.a == async.data.b`
 * with a field of the event that started the run.
 */
interface WaitCondition {
  field: string;
  value: string | { own: string };
}

/**
 * A wait's condition after the run's own event was filled in: the text that the awaited event must
 * have at `path`.
 */
export type BoundEquality = { path: string[]; value: string } | { never: true };

const FIELD = "([A-Za-z_]\\w*)";
const TEXT = `(?:"([^"\\\\]*)"|'([^'\\\\]*)')`;
const OF_TRIGGER = new RegExp(`^event\\.data\\.${FIELD} == ${TEXT}$`);
const OF_WAIT = new RegExp(`^async\\.data\\.${FIELD} == ${TEXT}$`);
const OF_BOTH = new RegExp(`^event\\.data\\.${FIELD} == async\\.data\\.${FIELD}$`);

/** Throws one sentence that quotes what it cannot evaluate. */
export function parseTriggerCondition(text: string): TriggerCondition {
  const [, field, double, single] = OF_TRIGGER.exec(text) ?? [];
  if (field === undefined)
    throw new Error(`the condition "${text}" is not of the form event.data.a == "text"`);
  return { field, value: double ?? single ?? "" };
}

/**
 * Throws one sentence that quotes what it cannot evaluate; a wait for whatever comes under a name
 * is among that.
 */
export function parseWaitCondition(text: string): WaitCondition {
  const [, own, other] = OF_BOTH.exec(text) ?? [];
  if (own !== undefined && other !== undefined) return { field: other, value: { own } };
  const [, field, double, single] = OF_WAIT.exec(text) ?? [];
  if (field === undefined)
    throw new Error(
      `the condition "${text}" is neither of the form event.data.a == async.data.b nor async.data.a == "text"`,
    );
  return { field, value: double ?? single ?? "" };
}

export function holdsFor({ field, value }: TriggerCondition, event: { data: unknown }): boolean {
  return fieldOf(event, field) === value;
}

/** Fills the run's own event in. What is missing there, or is no text, never matches. */
export function bindCondition(
  { field, value }: WaitCondition,
  event: { data: unknown },
): BoundEquality {
  const wanted = typeof value === "string" ? value : fieldOf(event, value.own);
  return typeof wanted === "string" ? { path: ["data", field], value: wanted } : { never: true };
}

/** The text under which a value is indexed; long ones are cut, as the whole comparison follows. */
export function matchKey(value: string): string {
  return JSON.stringify(value).slice(0, 200);
}

/** The index keys of all that a wait can ask of an event. */
export function matchKeysOf(data: Record<string, unknown>): string[] {
  return [
    ...new Set(
      Object.values(data).flatMap((value) => (typeof value === "string" ? [matchKey(value)] : [])),
    ),
  ];
}

/** A field of the event's data itself. */
export function fieldOf({ data }: { data: unknown }, field: string): unknown {
  return isRecord(data) && Object.hasOwn(data, field) ? data[field] : undefined;
}

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
  steps: z.record(
    z.string(),
    z.object({ retries: z.object({ attempts: z.int().min(0) }).optional() }),
  ),
  concurrency: z.union([z.int().min(1), limitSchema, z.array(limitSchema).max(2)]).optional(),
  cancel: z.array(z.strictObject({ event: z.string(), if: z.string() })).optional(),
});

type FunctionConfig = z.infer<typeof functionSchema>;

/**
 * Asks the SDK's own handler for the configuration of its functions. Throws one sentence that names
 * the function and the option when a function needs what the embedded executor cannot do.
 */
export async function readFunctions(
  handler: (request: Request) => Promise<Response>,
): Promise<FunctionSpec[]> {
  const url = "http://localhost/api/inngest";
  const headers = {
    host: "localhost",
    "content-type": "application/json",
    "x-inngest-sync-kind": "in_band",
    "x-inngest-server-kind": "dev",
    ...ownCallHeaders(),
  };
  const response = await handler(
    new Request(url, { method: "PUT", headers, body: JSON.stringify({ url }) }),
  );
  const { functions } = z.object({ functions: z.array(z.unknown()) }).parse(await response.json());
  return functions.map(readFunction);
}

function readFunction(raw: unknown): FunctionSpec {
  const parsed = functionSchema.safeParse(raw);
  const id = z.object({ id: z.string() }).safeParse(raw).data?.id ?? "?";
  if (!parsed.success)
    throw new Error(
      `The embedded executor cannot run the function "${id}": ${explain(parsed.error)}.`,
    );
  try {
    return toSpec(parsed.data);
  } catch (error) {
    throw new Error(
      `The embedded executor cannot run the function "${id}": ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

function explain(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue?.code === "unrecognized_keys")
    return `it does not support ${[...issue.path, issue.keys.join(", ")].join(".")}`;
  return `its ${issue?.path.join(".")} is not supported (${issue?.message})`;
}

function toSpec(config: FunctionConfig): FunctionSpec {
  const events = config.triggers.flatMap((trigger) => ("event" in trigger ? [trigger] : []));
  const internal = events.find(
    ({ event }) => event.startsWith("inngest/") && event !== "inngest/function.failed",
  );
  if (internal) throw new Error(`it does not support the trigger ${internal.event}`);
  return {
    id: config.id,
    retries: config.steps.step?.retries?.attempts ?? DEFAULT_RETRIES,
    events: events.map(({ event, expression }) => ({
      name: event,
      condition: expression ? parseTriggerCondition(expression) : null,
    })),
    crons: config.triggers.flatMap((trigger) => ("cron" in trigger ? [toCron(trigger.cron)] : [])),
    cancels: (config.cancel ?? []).map(({ event, if: text }) => ({
      event,
      condition: parseWaitCondition(text),
    })),
    limits: toLimits(config.concurrency),
  };
}

function toLimits(concurrency: FunctionConfig["concurrency"]): FunctionSpec["limits"] {
  if (concurrency === undefined) return [];
  if (typeof concurrency === "number") return [{ limit: concurrency, field: null }];
  const list = Array.isArray(concurrency) ? concurrency : [concurrency];
  return list.map(({ limit, key }) => ({ limit, field: key.replace("event.data.", "") }));
}

/**
 * Throws here, at start-up, for a pattern that does not exist, has seconds or names a time zone.
 */
function toCron(text: string): string {
  try {
    new Cron(text, { mode: "5-part", paused: true }).nextRun();
  } catch (error) {
    throw new Error(
      `its cron trigger "${text}" is not supported (${error instanceof Error ? error.message : String(error)})`,
    );
  }
  return text;
}
