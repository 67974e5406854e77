import "server-only";
import { Cron } from "croner";
import type { EngineEvent, EngineFunction, EngineLimit, Trigger } from "@/lib/engine/functions";

/** What the executor knows of one function. */
export interface FunctionSpec {
  /** With the app's id in front, as the stored runs name it. */
  id: string;
  /** Tries after the first one, of each step and of the function itself. */
  retries: number;
  events: { name: string; where: { field: string; value: string } | null }[];
  /** Patterns of five fields. */
  crons: string[];
  cancels: readonly { event: string; field: string }[];
  limits: readonly EngineLimit[];
  handler: EngineFunction["handler"];
}

/** The text that an awaited event must have at `path`; `never` where none will do. */
export type BoundEquality = { path: string[]; value: string } | { never: true };

/** The event by which a function that failed is told to what listens for it. */
export const FUNCTION_FAILED = "inngest/function.failed";
/** As often as an Inngest server tries to tell of a failure again. */
const FAILURE_RETRIES = 1;

/**
 * What drives these functions reads of them; of each with an `onFailure` there is a second one,
 * which its failures start.
 * @throws one sentence that names the function and what of it is not supported
 */
export function toSpecs(
  app: string,
  functions: readonly EngineFunction[],
): Map<string, FunctionSpec> {
  const specs = functions.flatMap((definition) => toSpecsOf(app, definition));
  return new Map(specs.map((spec) => [spec.id, spec]));
}

/** The id of a function as stored runs name it. */
export function functionIdOf(app: string, { id }: { id: string }): string {
  return `${app}-${id}`;
}

function toSpecsOf(app: string, definition: EngineFunction): FunctionSpec[] {
  const id = functionIdOf(app, definition);
  const { retries, triggers, limits = [], cancelOn = [], handler, onFailure } = definition;
  const spec: FunctionSpec = {
    id,
    retries,
    events: triggers.flatMap((trigger) => ("event" in trigger ? [toEventTrigger(trigger)] : [])),
    crons: triggers.flatMap((trigger) => ("cron" in trigger ? [toCron(id, trigger.cron)] : [])),
    cancels: cancelOn,
    limits,
    handler,
  };
  if (!onFailure) return [spec];
  const listener: FunctionSpec = {
    id: `${id}-failure`,
    retries: FAILURE_RETRIES,
    events: [{ name: FUNCTION_FAILED, where: { field: "function_id", value: id } }],
    crons: [],
    cancels: [],
    limits: [],
    handler: ({ event }) => onFailure(toFailure(event)),
  };
  return [spec, listener];
}

function toEventTrigger(trigger: Extract<Trigger, { event: string }>): FunctionSpec["events"][0] {
  return { name: trigger.event, where: trigger.where ?? null };
}

/**
 * Throws here, at start-up, for a pattern that does not exist, has seconds or names a time zone.
 */
function toCron(id: string, text: string): string {
  try {
    new Cron(text, { mode: "5-part", paused: true }).nextRun();
    return text;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(
      `The embedded executor cannot run the function "${id}": its cron trigger "${text}" is not ` +
        `supported (${why}).`,
    );
  }
}

/** As `settleRun` of the run store wrote it. */
function toFailure({ data }: EngineEvent): Parameters<NonNullable<EngineFunction["onFailure"]>>[0] {
  const { error, event } = data as {
    error: { name?: unknown; message?: unknown } | null;
    event: EngineEvent;
  };
  return {
    event,
    error: { name: String(error?.name ?? "Error"), message: String(error?.message ?? "") },
  };
}

export function isTriggered(spec: FunctionSpec, event: { name: string; data: unknown }): boolean {
  return spec.events.some(
    ({ name, where }) =>
      name === event.name && (where === null || fieldOf(event, where.field) === where.value),
  );
}

/**
 * What a field of an event to come must be: what the run's own event has there. What is missing
 * there, or is no text, never matches.
 */
export function sameField(field: string, own: { data: unknown }): BoundEquality {
  const value = fieldOf(own, field);
  return typeof value === "string" ? sameValue(field, value) : { never: true };
}

/** What a field of an event to come must be: this text. */
export function sameValue(field: string, value: string): { path: string[]; value: string } {
  return { path: ["data", field], value };
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
  if (typeof data !== "object" || data === null || !Object.hasOwn(data, field)) return undefined;
  return (data as Record<string, unknown>)[field];
}
