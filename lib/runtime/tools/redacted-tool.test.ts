import { expect, it } from "vitest";
import type { JsonValue } from "@/lib/model/json-schema/json-value";
import { createRedactor } from "@/lib/platform/crypto/redact";
import { redactedTool } from "@/lib/runtime/tools/resolve-tools";
import {
  executeTool,
  type RuntimeTool,
  type ToolContext,
  ToolFailure,
} from "@/lib/runtime/tools/tool";

const SECRET = "tok-9f8e7d6c5b4a";
const redact = createRedactor([SECRET]).redactInSteps;
const tool = (execute: () => Promise<{ succeeded: boolean; output: JsonValue }>): RuntimeTool => ({
  name: "echo",
  description: "Echoes.",
  kind: "read",
  inputSchema: { type: "object" },
  execute,
});
// The tool uses nothing else of it.
const context = { signal: new AbortController().signal } as ToolContext;

it("takes a secret out of a failing tool's reason, as out of what it answers", async () => {
  const failing = tool(() =>
    Promise.reject(new ToolFailure(`The server said: bad token ${SECRET}`)),
  );
  expect(await executeTool(redactedTool(failing, redact), {}, context)).toEqual({
    succeeded: false,
    output: { error: "The server said: bad token [redacted]" },
  });
  const answering = tool(async () => ({ succeeded: true, output: { [SECRET]: [SECRET, 1] } }));
  expect(await executeTool(redactedTool(answering, redact), {}, context)).toEqual({
    succeeded: true,
    output: { "[redacted]": ["[redacted]", 1] },
  });
});
