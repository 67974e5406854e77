import { createConfig, lintFromString, type RuleConfig } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { APP_OPERATIONS } from "@/lib/api/apps/operations";
import { openapiDocument } from "@/lib/api/openapi/document-text";
import { V1_OPERATIONS } from "@/lib/api/v1/operations";

/** Beyond `recommended`, whose warnings count here too. None of its rules is switched off. */
const STRICTER: Record<string, RuleConfig> = {
  "array-parameter-serialization": "error",
  "component-name-unique": "error",
  "no-http-verbs-in-paths": "error",
  "operation-description": "error",
  "operation-singular-tag": "error",
  "operation-tag-defined": "error",
  "parameter-description": "error",
  "path-params-defined": "error",
};

/** A run's trace is a thing; that HTTP has a method of that name is chance. */
const TRACE_IS_A_NOUN =
  "no-http-verbs-in-paths: path `/v1/runs/{run_id}/trace` should not contain http verb trace";

async function lint(document: object) {
  const config = await createConfig({ extends: ["recommended"], rules: STRICTER });
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: "openapi.json",
    config,
  });
  return problems
    .map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`)
    .filter((problem) => !problem.startsWith(TRACE_IS_A_NOUN));
}

const OPERATIONS = [...V1_OPERATIONS, ...APP_OPERATIONS];

test("the document lints without a problem or a warning, on one host and on two", async () => {
  expect(await lint(openapiDocument(OPERATIONS))).toEqual([]);
  expect(
    await lint(openapiDocument(OPERATIONS, { api: "api.lathe.test", app: "apps.lathe.test:8443" })),
  ).toEqual([]);
});

test("the lint sees a missing summary, unused components and misfit examples", async () => {
  const [first, ...rest] = OPERATIONS;
  if (!first) throw new Error("there are operations");
  const document = openapiDocument([
    { ...first, summary: "", examples: { broken: { input: 7 } } },
    ...rest,
  ]);
  const problems = await lint({
    ...document,
    components: {
      ...document.components,
      headers: { ...document.components?.headers, Idle: { schema: { type: "string" } } },
    },
  });
  for (const rule of [
    "operation-summary",
    "no-unused-components",
    "no-invalid-media-type-examples",
  ])
    expect(
      problems.some((problem) => problem.startsWith(rule)),
      rule,
    ).toBe(true);
});
