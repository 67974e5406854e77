import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { ProviderAdapter } from "@/lib/runtime/models/providers/provider-adapter";
import { PROVIDERS } from "@/lib/runtime/models/providers/providers";

// What documents and the compose file say of providers of models is made of the providers. After a
// change of one:
//   npx vitest run --project=unit scripts/checks/provider-documents.test.ts -u

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Those that are set up by variables of their own. */
const set = PROVIDERS.filter(({ variables }) => Object.keys(variables).length > 0);

/** A file with what stands between two lines of it said anew. */
function between(file: string, first: RegExp, last: RegExp, lines: string[]): string {
  const given = readFileSync(join(ROOT, file), "utf8").split("\n");
  const from = given.findIndex((line) => first.test(line));
  const to = given.findIndex((line, index) => index > from && last.test(line));
  if (from < 0 || to < 0) throw new Error(`${file} has lost the place of its providers`);
  return [...given.slice(0, from + 1), ...lines, ...given.slice(to)].join("\n");
}

const code = (text: string) => `\`${text}\``;

function rowOf({ id, setUp, about }: ProviderAdapter): [string, string] {
  const of = about ? `: ${about.examples}, ${about.what}` : "";
  return [setUp.map(code).join(", "), code(`${id}/…`) + of];
}

function table(): string[] {
  const rows = [["Set", "and these models work"] as const, ...set.map(rowOf)];
  const [left, right] = [0, 1].map((column) =>
    Math.max(...rows.map((row) => row[column === 0 ? 0 : 1].length)),
  );
  const line = ([a, b]: readonly [string, string]) =>
    `| ${a.padEnd(left ?? 0)} | ${b.padEnd(right ?? 0)} |`;
  const rule = `| ${"-".repeat(left ?? 0)} | ${"-".repeat(right ?? 0)} |`;
  return [line(rows[0] ?? ["", ""]), rule, ...rows.slice(1).map(line)];
}

test(".env.example has each provider's variables, in order of preference", async () => {
  const lines = set.flatMap(({ variables }) =>
    Object.entries(variables).flatMap(([name, says]) => [
      ...(says === "" ? [] : says.split("\n").map((line) => `# ${line}`)),
      `# ${name}=`,
    ]),
  );
  const text = between(
    ".env.example",
    /^# Providers of models/,
    /^# What is said of models/,
    lines,
  );
  await expect(text).toMatchFileSnapshot(join(ROOT, ".env.example"));
});

test.each(["README.md", "docs/start.md"])(
  "%s says what switches each provider on",
  async (file) => {
    const text = between(file, /^<!-- providers -->$/, /^<!-- \/providers -->$/, [
      "",
      ...table(),
      "",
    ]);
    await expect(text).toMatchFileSnapshot(join(ROOT, file));
  },
);

test("the compose file hands on what switches each provider on, and its key", async () => {
  const lines = set.flatMap(({ variables, setUp }) =>
    Object.keys(variables)
      .filter((name) => setUp.includes(name) || name.endsWith("_API_KEY"))
      .map((name) => `    ${name}: \${${name}:-}`),
  );
  const text = between("compose.yaml", /^ {4}# Providers of models/, /^ {4}#/, lines);
  await expect(text).toMatchFileSnapshot(join(ROOT, "compose.yaml"));
});
