import type { AgentCase } from "@/lib/client/schemas";

type Check = AgentCase["checks"][number];

/** What a check asks of an answer, as a sentence without its subject: “contains “sent””. */
export function checkInWords(check: Check): string {
  switch (check.type) {
    case "contains":
      return `contains “${check.value}”`;
    case "not_contains":
      return `does not contain “${check.value}”`;
    case "equals":
      return `is ${JSON.stringify(check.value)}`;
    case "matches":
      return `matches ${check.pattern}`;
    case "json_path":
      return check.value === undefined
        ? `has ${check.path}`
        : `has ${JSON.stringify(check.value)} at ${check.path}`;
    case "schema":
      return "fits a schema";
    case "tool_called":
      return `calls ${check.tool}`;
    case "tool_not_called":
      return `does not call ${check.tool}`;
  }
}
