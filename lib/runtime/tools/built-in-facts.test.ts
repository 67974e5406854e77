import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BUILT_IN_FACTS } from "@/lib/model/agent-config/built-in-facts";
import { FILE_TOOLS_NAME, guideToTools } from "@/lib/model/agent-config/built-in-tools";
import type { ToolFacts } from "@/lib/model/agent-config/tool-facts";
import type { MediaModel } from "@/lib/runtime/models/providers/provider-adapter";
import { TEST_PORTS } from "@/lib/runtime/test/test-tools";
import { ALL_FACTS, BUILT_IN_TOOLS } from "@/lib/runtime/tools/built-in-tools";
import { superAgentTools } from "@/lib/runtime/tools/super-agent-tools";

const HEAD = `import type { ToolFacts } from "@/lib/model/agent-config/tool-facts";

/**
 * The facts of the service's own tools, as their files in \`lib/runtime/tools\` say them. Written \
by
 * \`npx vitest run --project=unit lib/runtime/tools/built-in-facts.test.ts -u\`.
 */
export const BUILT_IN_FACTS = [
`;

const WIDTH = 100;

/** A value behind its key, as Biome leaves it: a text that is too long for one line is in parts. */
function written(value: unknown, key: string): string {
  const whole = ` ${JSON.stringify(value)}`;
  if (typeof value !== "string" || `    ${key}:${whole},`.length <= WIDTH) return whole;
  const parts = [""];
  for (const word of value.split(/(?<= )/)) {
    const longer = parts.at(-1) + word;
    if (`      ${JSON.stringify(longer)} +`.length <= WIDTH) parts.splice(-1, 1, longer);
    else parts.push(word);
  }
  return parts.map((part) => `\n      ${JSON.stringify(part)}`).join(" +");
}

function file(facts: readonly ToolFacts[]): string {
  const entries = facts.map((tool) => {
    const lines = Object.entries(tool).map(
      ([key, value]) => `    ${key}:${written(value, key)},\n`,
    );
    return `  {\n${lines.join("")}  },\n`;
  });
  return `${HEAD}${entries.join("")}] as const satisfies readonly ToolFacts[];\n`;
}

test("what the service goes by of its tools is what their files say", async () => {
  await expect(file(ALL_FACTS)).toMatchFileSnapshot(
    join(process.cwd(), "lib/model/agent-config/built-in-facts.ts"),
  );
});

test("whoever writes a config is told of every tool that it may list", () => {
  const told = guideToTools(false);
  for (const { facts } of BUILT_IN_TOOLS)
    if (facts.offered === "config") {
      expect(facts.guide, facts.name).toBeTruthy();
      expect(told).toContain(facts.name);
    }
});

test("a name means one thing: tools of one name have the same facts but for who has them", () => {
  const names = BUILT_IN_TOOLS.map(({ facts }) => facts.name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).not.toContain(FILE_TOOLS_NAME);
  const effects = new Map<string, string>();
  for (const { name, writes } of BUILT_IN_FACTS) {
    expect(effects.get(name) ?? writes).toBe(writes);
    effects.set(name, writes);
  }
});

// One of each kind; the tools ask nothing else of it.
const models = ["image", "speech", "video"].map((capability) => ({
  id: `test/${capability}`,
  capability,
})) as unknown as MediaModel[];

test.each(BUILT_IN_TOOLS.map((tool) => [tool.facts.name, tool] as const))(
  "%s is made under the name of its facts, and changes nothing where they say so",
  (name, { facts, make }) => {
    const tool = make({ ...TEST_PORTS, media: { ...TEST_PORTS.media, models } });
    expect(tool?.name).toBe(name);
    expect(tool?.kind === "read").toBe(facts.writes === "nothing");
    // What a model says itself, or what computes, is no stranger's word; the web's is.
    if (facts.within) expect(tool?.kind).not.toBe("guarded");
  },
);

test.each(BUILT_IN_TOOLS.map((tool) => [tool.facts.name, tool] as const))(
  "%s: what is made of its arguments is made once, for all runs",
  (_, { make }) => {
    const media = { ...TEST_PORTS.media, models };
    const modelCode = { run: () => Promise.reject(new Error("no code is run")) };
    for (const ports of [TEST_PORTS, { ...TEST_PORTS, media, modelCode, pythonImage: true }]) {
      const [one, another] = [make(ports), make({ ...ports })];
      expect(another?.inputSchema).toBe(one?.inputSchema);
      expect(another?.shownSchema).toBe(one?.shownSchema);
    }
  },
);

test("what is made of the super-agent's arguments is made once, for all runs", () => {
  const schemas = () => superAgentTools(() => expect.fail()).map((tool) => tool.inputSchema);
  for (const [index, schema] of schemas().entries()) expect(schema).toBe(schemas()[index]);
});

const PAGE = join(process.cwd(), "docs/connectors.md");

/** Items of a list, wrapped; tools of which the same is said stand in one. */
function listed(): string {
  const guides = new Set(ALL_FACTS.flatMap(({ guide }) => guide ?? []));
  return [...guides]
    .map((guide) => {
      const names = ALL_FACTS.filter((tool) => tool.guide === guide).map(({ name }) => name);
      const words = `- ${names.map((name) => `\`${name}\``).join(", ")}: ${guide}`.split(" ");
      const lines: string[] = [];
      for (const word of words) {
        const last = lines.at(-1);
        if (last !== undefined && last.length + 1 + word.length <= WIDTH)
          lines.push(`${lines.pop()} ${word}`);
        else lines.push(last === undefined ? word : `  ${word}`);
      }
      return `${lines.join("\n")}\n`;
    })
    .join("");
}

test("the page about tools tells of each as its file does", async () => {
  const page = readFileSync(PAGE, "utf8").replace(
    /(`tools\.builtin` lists those that an agent has:\n\n)[\s\S]*?(?=\n\nOf files)/,
    (_, head: string) => head + listed().trimEnd(),
  );
  await expect(page).toMatchFileSnapshot(PAGE);
});
