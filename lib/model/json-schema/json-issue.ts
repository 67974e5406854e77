import type { JsonPath } from "./json-path";

/** One thing that is wrong in a JSON value, and where; `atKey` when it is the key itself that is wrong, not what it holds. */
export type JsonIssue = { path: JsonPath; message: string; atKey?: boolean };
