/** What a check of an answer may look at. */
export const CHECK_TYPES = [
  "contains",
  "not_contains",
  "equals",
  "matches",
  "json_path",
  "schema",
  "tool_called",
  "tool_not_called",
] as const;
