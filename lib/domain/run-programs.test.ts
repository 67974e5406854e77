import { join } from "node:path";
import { expect, test } from "vitest";
import { PROGRAMS } from "@/lib/domain/run-programs";
import type { KindFacts } from "@/lib/model/run/run-kind";

const HEAD = `import type { KindFacts } from "@/lib/model/run/run-kind";

/**
 * The facts of the kinds of runs, as their programs say them. Written by
 * \`npx vitest run --project=unit lib/domain/run-programs.test.ts -u\`.
 */
export const RUN_KIND_FACTS = [
`;

function written(kinds: readonly KindFacts[]): string {
  const entries = kinds.map((facts) => {
    const lines = Object.entries(facts).map(([key, value]) => `    ${key}: ${literal(value)},\n`);
    return `  {\n${lines.join("")}  },\n`;
  });
  return `${HEAD}${entries.join("")}] as const satisfies readonly KindFacts[];\n`;
}

function literal(value: unknown): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const parts = Object.entries(value).map(([key, part]) => `${key}: ${JSON.stringify(part)}`);
  return `{ ${parts.join(", ")} }`;
}

test("what the service goes by of a kind of run is what its program says", async () => {
  await expect(written(PROGRAMS.map(({ facts }) => facts))).toMatchFileSnapshot(
    join(process.cwd(), "lib/model/run/run-kinds.ts"),
  );
});

test("no two programs are for one kind", () => {
  const kinds = PROGRAMS.map(({ facts }) => facts.kind);
  expect(new Set(kinds).size).toBe(kinds.length);
});
