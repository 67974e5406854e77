import fc from "fast-check";
import { expect, test } from "vitest";
import { configToText } from "@/lib/model/agent-config/config-text";
import {
  type AgentDocument,
  agentDocumentSchema,
  agentDocumentToText,
  parseAgentDocument,
  parseAgentDocumentInSteps,
} from "@/lib/model/agent-document/agent-document";
import { expectLinear } from "@/lib/platform/test/expect-linear";
import { expectShortSteps } from "@/lib/platform/test/expect-short-steps";

// All that it does not name is as the schema has it where a document says nothing.
const BASE: AgentDocument = agentDocumentSchema.parse({
  kind: "agent",
  format: 1,
  name: "Reporter",
  write_autonomy: "full_auto",
  skill_content: "# Reporter\n\n1. Read.\n2. Report.\n",
  config: { version: 1, limits: { max_steps: 3 } },
});

function errorsOf(text: string) {
  const parsed = parseAgentDocument(text);
  return parsed.ok ? [] : parsed.errors;
}

test("a document is readable YAML: its skill a block, the config with comments", () => {
  const configContent = "# on top\nversion: 1 # the format\nlimits: {max_steps: 3}\n# below\n";
  const text = agentDocumentToText(BASE, configContent);
  expect(text).toContain("skill_content: |\n  # Reporter\n");
  for (const comment of ["# on top", "# the format", "# below"]) expect(text).toContain(comment);
  const parsed = parseAgentDocument(text);
  expect(parsed).toMatchObject({ ok: true, document: BASE, config: BASE.config });
  if (parsed.ok)
    for (const comment of ["# on top", "# the format", "# below"])
      expect(parsed.configContent).toContain(comment);
});

const anyText = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc
    .array(
      fc.constantFrom(
        "\n",
        " ",
        "\t",
        "\r",
        "#",
        ": ",
        "- ",
        "|",
        ">",
        "'",
        '"',
        "a",
        "---\n",
        "...\n",
        "\u2028",
        "\u0085",
        "\u0001",
        "\u007f",
        "\ufeff",
        "%",
        "&x",
        "*x",
        "!t",
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join("")),
);

test("whatever an agent's texts hold, its export reads back as exactly that", () => {
  fc.assert(
    fc.property(
      anyText,
      anyText,
      anyText.filter((text) => text.length >= 1 && text.length <= 64),
      anyText.filter((text) => text.length >= 1),
      (skill, description, version, starter) => {
        const sound = (text: string) => text.toWellFormed().replaceAll("\0", "");
        const config = { version: 1 as const, starters: [sound(starter) || "x"] };
        const document = {
          ...BASE,
          skill_content: sound(skill),
          description: sound(description),
          version: sound(version) || "1",
          config,
        };
        const parsed = parseAgentDocument(agentDocumentToText(document, configToText(config)));
        expect(parsed).toMatchObject({ ok: true, document, config });
      },
    ),
    { numRuns: 400 },
  );
});

test("an agent at its limits can be exported and imported again", () => {
  for (const unit of ["ü", "a\n", "\u0001", "\n", " \n", "\t"]) {
    const skill = unit.repeat(Math.floor(262_144 / new TextEncoder().encode(unit).length));
    const config = {
      version: 1 as const,
      starters: Array.from({ length: 20 }, () => "🌍".repeat(250)),
    };
    const document = { ...BASE, skill_content: skill, description: "ü".repeat(10_000), config };
    const text = agentDocumentToText(document, configToText(config));
    expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(4 * 1024 * 1024);
    expect(parseAgentDocument(text)).toMatchObject({ ok: true, document });
  }
});

test("only kind, format, name and skill are required; without autonomy it asks", () => {
  const parsed = parseAgentDocument(
    "kind: agent\nformat: 1\nname: Small\nskill_content: Answer.\n",
  );
  expect(parsed).toMatchObject({
    ok: true,
    document: {
      description: null,
      version: "1.0.0",
      write_autonomy: "approval_required",
      dashboard_template: null,
    },
    config: { version: 1 },
  });
});

const DOCUMENT = "kind: agent\nformat: 1\nname: N\nskill_content: S\n";
test.each([
  ["broken YAML", "kind: agent\nformat: [1\n", "", 3],
  ["nothing", "", "", 1],
  ["a list", "- kind: agent\n", "", 1],
  ["another kind", DOCUMENT.replace("kind: agent", "kind: workspace"), "kind", 1],
  ["another format", DOCUMENT.replace("format: 1", "format: 2"), "format", 2],
  ["no name", "kind: agent\nformat: 1\nskill_content: S\n", "name", 1],
  ["an empty name", DOCUMENT.replace("name: N", 'name: ""'), "name", 3],
  ["a version that is a number", `${DOCUMENT}version: 1.0\n`, "version", 5],
  ["an unknown key", `${DOCUMENT}agent_id: x\n`, "agent_id", 5],
  [
    "a config that does not fit",
    `${DOCUMENT}config:\n  version: 1\n  limits: {max_steps: 0}\n`,
    "config.limits.max_steps",
    7,
  ],
  [
    "a config key that is not known",
    `${DOCUMENT}config:\n  version: 1\n  modle: x\n`,
    "config.modle",
    7,
  ],
  [
    "a dashboard that does not fit",
    `${DOCUMENT}dashboard_template:\n  version: 9\n`,
    "dashboard_template.version",
    6,
  ],
  ["an anchor", `${DOCUMENT}description: &a x\n`, "", 5],
  ["a NUL character", `${DOCUMENT}description: "a\\0"\n`, "description", 5],
  ["half of a surrogate pair", `${DOCUMENT}description: "\\ud800"\n`, "description", 5],
  ["a second document", `${DOCUMENT}---\n${DOCUMENT}`, "", 5],
])("a document with %s is refused with its place", (_what, text, path, line) => {
  const errors = errorsOf(text);
  expect(errors.map((error) => error.path)).toContain(path);
  expect(errors.find((error) => error.path === path)).toMatchObject({
    line,
    column: expect.any(Number),
  });
});

test("a model that is not in the list is refused where it stands", () => {
  const parsed = parseAgentDocument(`${DOCUMENT}config: {version: 1, model: no/such}\n`, {
    isKnownModel: () => false,
  });
  expect(parsed).toMatchObject({ ok: false, errors: [{ path: "config.model", line: 5 }] });
});

test.each<[string, (size: number) => string]>([
  ["lists in each other", (size) => "[".repeat(size)],
  ["maps in each other", (size) => `a: ${"{a: ".repeat(size / 4)}`],
  ["dashes in each other", (size) => "- ".repeat(size / 2)],
  ["an endless field", (size) => `${DOCUMENT}x: |\n${" y\n".repeat(size / 3)}`],
  ["one word", (size) => "x".repeat(size)],
])(
  "a hostile text of %s is refused at a cost that grows with its length alone",
  async (_, textOf) => {
    // Eight times as much is just within the limit of 4 MiB: beyond it other work would be
    // compared.
    await expectLinear(500_000, textOf, (text) => expect(parseAgentDocument(text).ok).toBe(false));
    expectShortSteps(() => parseAgentDocumentInSteps(textOf(4_000_000)));
  },
);
