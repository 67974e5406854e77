import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentConfigSchema } from "@/lib/model/agent-config/agent-config-schema";
import { builtInToolsOf, FILE_TOOL_NAMES } from "@/lib/model/agent-config/built-in-tools";
import { isJsonObject } from "@/lib/model/json-schema/json-value";
import { type Template, templates } from "@/lib/templates/templates";

const SECTIONS = ["When to use", "Steps", "When something goes wrong", "Done when"];

/** Names of properties and of the values of enums, however deep in a schema. */
function namesIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(namesIn);
  if (!isJsonObject(schema)) return [];
  const own = isJsonObject(schema.properties) ? Object.keys(schema.properties) : [];
  const values = Array.isArray(schema.enum)
    ? schema.enum.filter((value) => typeof value === "string")
    : [];
  return [...own, ...values, ...Object.values(schema).flatMap(namesIn)];
}

function configOf({ document }: Template) {
  return agentConfigSchema.parse(document.config);
}

function connectorsOf(template: Template): string[] {
  const { http = [], mcp = [] } = configOf(template).tools ?? {};
  return [...http, ...mcp].map(({ name }) => name);
}

/** Sets of five words in a row, by which two texts are alike or not. */
function shingles(text: string): Set<string> {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return new Set(words.map((_, at) => words.slice(at, at + 5).join(" ")));
}

const all = templates();

describe("the templates", () => {
  it("are at least twenty documents, each in the index, of its own name and title", () => {
    const files = readdirSync(join(process.cwd(), "lib", "templates")).filter((name) =>
      name.endsWith(".yaml"),
    );
    expect(all.map(({ name }) => `${name}.yaml`).sort()).toEqual(files.sort());
    expect(all.length).toBeGreaterThanOrEqual(20);
    for (const key of ["name", "title"] as const)
      expect(new Set(all.map((template) => template[key])).size).toBe(all.length);
    expect(new Set(all.map(({ document }) => document.name)).size).toBe(all.length);
  });

  it.each(all.map((template) => [template.name, template] as const))(
    "%s says when to use it, its steps, what to do in trouble and when it is done",
    (_, template) => {
      const text = template.document.skill_content;
      for (const section of SECTIONS) expect(text).toContain(`\n## ${section}\n`);
      expect(text.split("\n")[0]).toBe(`# ${template.document.name}`);
      expect(template.document.description?.length).toBeGreaterThan(60);
      expect(configOf(template).starters?.length).toBeGreaterThan(0);
    },
  );

  it.each(all.map((template) => [template.name, template] as const))(
    "%s names no tool, input, output or secret that it does not have",
    (_, template) => {
      const config = configOf(template);
      const builtin: readonly string[] = builtInToolsOf(config.tools);
      const named = [...template.document.skill_content.matchAll(/`([a-z][a-z0-9_]*)`/g)].map(
        ([, name = ""]) => name,
      );
      const errorsOfOthers = ["channel_not_found"];
      const known = [
        ...builtin,
        ...connectorsOf(template),
        ...namesIn(config.inputs),
        ...namesIn(config.output_schema),
        ...errorsOfOthers,
      ];
      expect(named.filter((name) => !known.includes(name))).toEqual([]);
      // A tool that no sentence speaks of is a permission without a use.
      const silent = ["todo", "artifacts", ...FILE_TOOL_NAMES];
      expect(
        [...builtin, ...connectorsOf(template)].filter(
          (tool) => !silent.includes(tool) && !named.includes(tool),
        ),
      ).toEqual([]);
      const connectors = [...(config.tools?.http ?? []), ...(config.tools?.mcp ?? [])];
      const secrets = connectors.flatMap(({ auth_secret }) => auth_secret ?? []);
      for (const name of secrets)
        expect(
          template.needs.some(({ kind, text }) => kind === "secret" && text.startsWith(`${name}:`)),
        ).toBe(true);
      for (const { url } of connectors)
        expect(
          template.needs.some(({ text }) => text.includes(new URL(url.replace(/[{}]/g, "")).host)),
        ).toBe(true);
    },
  );

  it.each(all.map((template) => [template.name, template] as const))(
    "%s asks before it writes outside, and writes nothing outside without a connector",
    (_, template) => {
      const config = configOf(template);
      const writes = (config.tools?.http ?? []).filter(
        ({ method }) => method !== "GET" && method !== "HEAD",
      );
      for (const { name } of writes) expect(config.permissions?.ask).toContain(name);
      expect(template.document.write_autonomy).toBe(
        connectorsOf(template).length > 0 ? "approval_required" : "blocked",
      );
    },
  );

  it("are really different from each other", () => {
    const shown = all.map(({ name, document }) => ({
      name,
      words: shingles(document.skill_content),
    }));
    const alike = shown.flatMap((one, at) =>
      shown.slice(at + 1).flatMap((other) => {
        const shared = [...one.words].filter((words) => other.words.has(words)).length;
        return shared / Math.min(one.words.size, other.words.size) > 0.15
          ? [`${one.name} and ${other.name}`]
          : [];
      }),
    );
    expect(alike).toEqual([]);
  });
});
