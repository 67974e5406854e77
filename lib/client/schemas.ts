import type { components } from "./openapi-types";

type Schemas = components["schemas"];

/** The objects of the API, in the words of its document. */
export type Run = Schemas["Run"];
export type EditRun = Schemas["EditRun"];
export type RunEvent = Schemas["RunEvent"];
export type ErrorBody = Schemas["Error"];

/** A line with a place in the run's log: all but the keepalive and the end of a broken stream, which a reader of events never sees. */
export type LoggedEvent = Exclude<RunEvent, { type: "ping" } | { type: "error" }>;
/** The last event of every run. */
export type TerminalEvent = Extract<RunEvent, { type: "run.completed" } | { type: "run.failed" }>;
