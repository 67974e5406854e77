import { expect, test } from "vitest";
import { LatheApiError } from "@/lib/client/errors";
import { checkConfigDraft, toTextProblems } from "@/lib/console/config/config-draft";

test("a text that fits gives its config, and says what is probably not meant", () => {
  const { config, problems } = checkConfigDraft(
    "version: 1\npermissions:\n  ask: [no_such_tool]\n",
  );
  expect(config).toMatchObject({ version: 1 });
  expect(problems).toEqual([
    expect.objectContaining({ severity: "warning", line: 3, path: "permissions.ask.0" }),
  ]);
});

test.each([
  ["syntax", "version: 1\nlimits: [\n", 3, ""],
  ["a key that is not known", "version: 1\nmodle: x\n", 2, "modle"],
  ["a value out of its bounds", "version: 1\nlimits:\n  max_steps: 0\n", 3, "limits.max_steps"],
  ["a model that is not published", "version: 1\nmodel: no/such\n", 2, "model"],
])("a fault of %s is an error at its line", (_what, text, line, path) => {
  const { config, problems } = checkConfigDraft(text, { isKnownModel: () => false });
  expect(config).toBeNull();
  expect(problems).toContainEqual(expect.objectContaining({ severity: "error", line, path }));
});

test("a refusal's places become problems of the text; what it says of others does not", () => {
  const details = [
    {
      path: "config_content.limits.max_steps",
      message: "line 3, column 14: Too small.",
      line: 3,
      column: 14,
    },
    { path: "config_content", message: "line 1, column 1: No document.", line: 1, column: 1 },
    { path: "release_note", message: "must have at most 2000 characters" },
  ];
  expect(
    toTextProblems(
      new LatheApiError(
        new Response(null, { status: 400 }),
        { error: "INVALID_INPUT", message: "", details },
        0,
      ),
      "config_content",
    ),
  ).toEqual([
    { line: 3, column: 14, path: "limits.max_steps", message: "Too small.", severity: "error" },
    { line: 1, column: 1, path: "", message: "No document.", severity: "error" },
  ]);
});
