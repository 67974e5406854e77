import "server-only";
import { isRecord } from "@/lib/engine/embedded/operation";

/** What a trigger asks of its event: `event.data.kind == "x"`. */
export interface TriggerCondition {
  field: string;
  value: string;
}

/** What a wait asks of an event to come: `async.data.id == "x"`, or `event.data.a == async.data.b` with a field of the event that started the run. */
export interface WaitCondition {
  field: string;
  value: string | { own: string };
}

/** A wait's condition after the run's own event was filled in: the text that the awaited event must have at `path`. */
export type BoundEquality = { path: string[]; value: string } | { never: true };

const FIELD = "([A-Za-z_]\\w*)";
const TEXT = `(?:"([^"\\\\]*)"|'([^'\\\\]*)')`;
const OF_TRIGGER = new RegExp(`^event\\.data\\.${FIELD} == ${TEXT}$`);
const OF_WAIT = new RegExp(`^async\\.data\\.${FIELD} == ${TEXT}$`);
const OF_BOTH = new RegExp(`^event\\.data\\.${FIELD} == async\\.data\\.${FIELD}$`);

/** Throws one sentence that quotes what it cannot evaluate. */
export function parseTriggerCondition(text: string): TriggerCondition {
  const [, field, double, single] = OF_TRIGGER.exec(text) ?? [];
  if (field === undefined) throw new Error(`the condition "${text}" is not of the form event.data.a == "text"`);
  return { field, value: double ?? single ?? "" };
}

/** Throws one sentence that quotes what it cannot evaluate; a wait for whatever comes under a name is among that. */
export function parseWaitCondition(text: string): WaitCondition {
  const [, own, other] = OF_BOTH.exec(text) ?? [];
  if (own !== undefined && other !== undefined) return { field: other, value: { own } };
  const [, field, double, single] = OF_WAIT.exec(text) ?? [];
  if (field === undefined)
    throw new Error(`the condition "${text}" is neither of the form event.data.a == async.data.b nor async.data.a == "text"`);
  return { field, value: double ?? single ?? "" };
}

export function holdsFor({ field, value }: TriggerCondition, event: { data: unknown }): boolean {
  return fieldOf(event, field) === value;
}

/** Fills the run's own event in. What is missing there, or is no text, never matches. */
export function bindCondition({ field, value }: WaitCondition, event: { data: unknown }): BoundEquality {
  const wanted = typeof value === "string" ? value : fieldOf(event, value.own);
  return typeof wanted === "string" ? { path: ["data", field], value: wanted } : { never: true };
}

/** The text under which a value is indexed; long ones are cut, as the whole comparison follows. */
export function matchKey(value: string): string {
  return JSON.stringify(value).slice(0, 200);
}

/** The index keys of all that a wait can ask of an event. */
export function matchKeysOf(data: Record<string, unknown>): string[] {
  return [...new Set(Object.values(data).flatMap((value) => (typeof value === "string" ? [matchKey(value)] : [])))];
}

/** A field of the event's data itself. */
export function fieldOf({ data }: { data: unknown }, field: string): unknown {
  return isRecord(data) && Object.hasOwn(data, field) ? data[field] : undefined;
}
