import { Document, isMap, Scalar } from "yaml";
import { z } from "zod";
import { KEPT_AGENT_KEYS, type KeptAgentKey } from "@/lib/model/agent/agent-fields";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import {
  type CheckAgentConfigOptions,
  checkAgentConfig,
} from "@/lib/model/agent-config/check-agent-config";
import { configToText, saysConfig } from "@/lib/model/agent-config/config-text";
import {
  type LoadedYaml,
  loadYaml,
  loadYamlInSteps,
} from "@/lib/model/agent-config/yaml/load-yaml";
import type { TextError } from "@/lib/model/agent-config/yaml/scan-yaml";
import { atOnce } from "@/lib/model/at-once";
import { checkDashboardTemplate } from "@/lib/model/dashboard/dashboard-template-schema";
import { CASES_MAX, type NewCase, newCaseSchema } from "@/lib/model/evaluation/cases";
import { type SnakeCase, toSnakeCase } from "@/lib/model/fields/field-table";
import {
  ComplexityLimit,
  type JsonIssue,
  type JsonValue,
  sameJson,
} from "@/lib/model/json-schema/json-value";
import {
  CONFIG_CONTENT_MAX_CHARACTERS,
  DESCRIPTION_MAX_CHARACTERS,
  NAME_MAX_CHARACTERS,
  SKILL_CONTENT_MAX_BYTES,
  SKILL_CONTENT_MAX_CHARACTERS,
  VERSION_MAX_CHARACTERS,
} from "@/lib/model/limits";
import { textOf } from "@/lib/model/text-of";
import { WRITE_AUTONOMIES } from "@/lib/model/write-autonomy";

const utf8 = new TextEncoder();

/**
 * One agent as a document that is exported and imported. `config` and `dashboard_template` have
 * formats of their own.
 */
export const agentDocumentSchema = z
  .strictObject({
    kind: z.literal("agent", 'must be "agent"'),
    format: z.literal(1, "must be 1, the format that this service reads"),
    name: textOf(NAME_MAX_CHARACTERS, {
      min: 1,
      message: `must have 1 to ${NAME_MAX_CHARACTERS} characters`,
    }),
    description: textOf(DESCRIPTION_MAX_CHARACTERS, { type: "must be a text or null" })
      .nullable()
      .default(null),
    version: textOf(VERSION_MAX_CHARACTERS, {
      min: 1,
      message: `must have 1 to ${VERSION_MAX_CHARACTERS} characters`,
      type: "must be a text: put a number into quotes",
    }).default("1.0.0"),
    write_autonomy: z
      .enum(WRITE_AUTONOMIES, `must be one of ${WRITE_AUTONOMIES.join(", ")}`)
      .default("approval_required"),
    skill_content: textOf(SKILL_CONTENT_MAX_CHARACTERS).refine(
      (text) => utf8.encode(text).length <= SKILL_CONTENT_MAX_BYTES,
      `must have at most ${SKILL_CONTENT_MAX_BYTES} bytes of UTF-8`,
    ),
    config: z.record(z.string(), z.unknown(), "must be an agent config").default({ version: 1 }),
    dashboard_template: z
      .record(z.string(), z.unknown(), "must be a dashboard template or null")
      .nullable()
      .default(null),
    cases: z
      .array(newCaseSchema)
      .max(CASES_MAX, `must have at most ${CASES_MAX} cases`)
      .refine((cases) => new Set(cases.map(({ name }) => name)).size === cases.length, {
        error: "must have no two cases of the same name",
      })
      .optional()
      .meta({ description: "The agent's cases, which each edit of it runs." }),
  })
  .meta({ id: "AgentDocument" });

export type AgentDocument = z.output<typeof agentDocumentSchema>;

/** Of what a version of an agent keeps, what its document says in the config's text. */
type InText = "configContent" | "keyOrder";
type DocumentedKey = Exclude<KeptAgentKey, InText>;
/** All else that it keeps. */
export const DOCUMENTED_KEYS = KEPT_AGENT_KEYS.filter(
  (key): key is DocumentedKey => key !== "configContent" && key !== "keyOrder",
);

/** An agent's row and its cases as a document; both were stored only after validation. */
export function toAgentDocument(
  agent: Record<DocumentedKey, unknown>,
  cases: readonly NewCase[],
): AgentDocument {
  const parts = DOCUMENTED_KEYS.map((key) => [toSnakeCase(key), agent[key]]);
  const plain = cases.map(({ name, input, answers, files, checks }) => ({
    ...{ name, input },
    // As they are left out when a case is written by hand.
    ...(Object.keys(answers).length > 0 && { answers }),
    ...(Object.keys(files).length > 0 && { files }),
    checks,
  }));
  // As above: the columns' types know less.
  return {
    kind: "agent",
    format: 1,
    ...Object.fromEntries(parts),
    ...(plain.length > 0 && { cases: plain }),
  } as AgentDocument;
}

type Snaked = { [K in DocumentedKey]: AgentDocument[DocumentName<K>] };
type DocumentName<K extends DocumentedKey> = SnakeCase<K> & keyof AgentDocument;

/** What a document says of an agent, under the names of its fields. */
export function fromAgentDocument(document: AgentDocument): Snaked {
  return Object.fromEntries(
    DOCUMENTED_KEYS.map((key) => [key, Reflect.get(document, toSnakeCase(key))]),
  ) as Snaked; // each by its own name
}

/**
 * Longest document, in characters and in bytes of UTF-8: more than an agent at all its limits
 * needs.
 */
export const AGENT_DOCUMENT_MAX_BYTES = 4 * 1024 * 1024;

/** Values of config and dashboard at their limits, and the document's own. */
const AGENT_VALUES_MAX = 20_000;
const CASE_VALUES_MAX = 10_000;
const VALUES_MAX = AGENT_VALUES_MAX + CASE_VALUES_MAX;
const ERRORS_MAX = 20;

/** A document that was read, with its config and the YAML text of that. */
type ParsedAgentDocument =
  | { ok: true; document: AgentDocument; config: AgentConfig; configContent: string }
  | { ok: false; errors: TextError[] };

/**
 * Reads an agent's document from a YAML text, which may be hostile (see `loadYaml`). Comments
 * inside its config are kept. Never throws.
 */
export function parseAgentDocument(
  text: string,
  options: CheckAgentConfigOptions = {},
): ParsedAgentDocument {
  return atOnce(parseAgentDocumentInSteps(text, options));
}

/** The same in small steps. */
export function* parseAgentDocumentInSteps(
  text: string,
  options: CheckAgentConfigOptions = {},
): Generator<void, ParsedAgentDocument, void> {
  const loaded = yield* loadYamlInSteps(text, {
    maxCharacters: AGENT_DOCUMENT_MAX_BYTES,
    maxValues: VALUES_MAX,
  });
  if (!loaded.ok) return loaded;
  const refuse = (issues: readonly JsonIssue[]) => ({
    ok: false as const,
    errors: issues.slice(0, ERRORS_MAX).map(loaded.errorAt),
  });
  yield;
  const parsed = agentDocumentSchema.safeParse(loaded.value);
  if (!parsed.success) return refuse(parsed.error.issues.flatMap(toIssues));
  const { config, dashboard_template: dashboard } = parsed.data;
  yield;
  const checked = checkAgentConfig(config, options);
  yield;
  const template = dashboard === null ? null : checkDashboardTemplate(dashboard);
  const issues = [
    ...(checked.ok ? [] : under("config", checked.issues)),
    ...(template?.ok === false ? under("dashboard_template", template.issues) : []),
  ];
  if (!checked.ok || issues.length > 0) return refuse(issues);
  return {
    ok: true,
    document: parsed.data,
    config: checked.config,
    configContent: configText(loaded, checked.config),
  };
}

function toIssues(issue: z.core.$ZodIssue): JsonIssue[] {
  // Paths of JSON hold no symbols.
  const path = issue.path as (string | number)[];
  if (issue.code !== "unrecognized_keys") return [{ path, message: issue.message }];
  return issue.keys
    .slice(0, ERRORS_MAX)
    .map((key) => ({ path: [...path, key], message: "Is not a known key.", atKey: true }));
}

function under(field: string, issues: readonly JsonIssue[]): JsonIssue[] {
  return issues.map((issue) => ({ ...issue, path: [field, ...issue.path] }));
}

/**
 * The config's part of the text as a text of its own; a fresh one where that would say anything
 * else.
 */
function configText({ document }: LoadedYaml, config: AgentConfig): string {
  const node = document.get("config", true);
  if (!isMap(node)) return configToText(config);
  const text = new Document(node, { version: "1.2" }).toString({
    lineWidth: 0,
    flowCollectionPadding: false,
  });
  return saysConfig(text, config) ? text : configToText(config);
}

/**
 * An agent's document as YAML for people: the skill as a block of lines, the config with the
 * comments of `configContent`, which must say `document.config`. Where that would not read back as
 * exactly the document, it is written as JSON, which is YAML too. Of cases that would make it
 * longer than an import takes, the last ones are left out, and a comment at its end names them.
 */
export function agentDocumentToText(whole: AgentDocument, configContent: string): string {
  const { document, left } = withinBounds(whole);
  const text = yamlOf(document, configContent);
  const fits = utf8.encode(text).length + NOTE_MAX_BYTES <= AGENT_DOCUMENT_MAX_BYTES;
  const sound = fits && saysDocument(text, document) ? text : `${jsonOf(document)}\n`;
  if (left.length === 0) return sound;
  const names = left.map(({ name }) => JSON.stringify(name)).join(", ");
  return `${sound}# Cases that would make this document too long: ${names}\n`;
}

/** What the names of all cases that an agent may have come to, and what stands before them. */
const NOTE_MAX_BYTES = 16_384;

/** In lines: one line may not be as long as a document. */
const jsonOf = (value: unknown) => JSON.stringify(value, null, 1);

/** The document with as many of its cases as can be read back, and the others. */
function withinBounds(whole: AgentDocument): { document: AgentDocument; left: NewCase[] } {
  const { cases, ...agent } = whole;
  if (cases === undefined) return { document: whole, left: [] };
  let bytes = AGENT_DOCUMENT_MAX_BYTES - utf8.encode(jsonOf(agent)).length - NOTE_MAX_BYTES;
  let values = CASE_VALUES_MAX;
  const end = cases.findIndex((each) => {
    const written = jsonOf({ cases: [each] });
    bytes -= utf8.encode(written).length;
    values -= countValues(each);
    return bytes < 0 || values < 0;
  });
  if (end < 0) return { document: whole, left: [] };
  const kept = cases.slice(0, end);
  const document = { ...agent, ...(kept.length > 0 && { cases: kept }) };
  return { document, left: cases.slice(end) };
}

/** Below a case, of what a document takes. */
const CASE_MAX_DEPTH = 60;

/** Infinity: it is deeper than a document may be. */
function countValues(value: unknown, depth = 0): number {
  if (typeof value !== "object" || value === null) return 1;
  if (depth === CASE_MAX_DEPTH) return Number.POSITIVE_INFINITY;
  return Object.values(value).reduce((sum: number, each) => sum + countValues(each, depth + 1), 1);
}

function yamlOf(document: AgentDocument, configContent: string): string {
  const { skill_content, config, dashboard_template, cases, ...plain } = document;
  const yaml = new Document(plain, { version: "1.2", aliasDuplicateObjects: false });
  const skill = new Scalar(skill_content);
  if (skill_content.includes("\n")) skill.type = Scalar.BLOCK_LITERAL;
  yaml.set("skill_content", skill);
  yaml.set("config", configNode(configContent) ?? yaml.createNode(config));
  yaml.set("dashboard_template", yaml.createNode(dashboard_template));
  if (cases) yaml.set("cases", yaml.createNode(cases, { aliasDuplicateObjects: false }));
  return yaml.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** The config's tree with its comments, those before and after the whole included. */
function configNode(text: string) {
  const loaded = loadYaml(text, { maxCharacters: CONFIG_CONTENT_MAX_CHARACTERS });
  if (!loaded.ok || !isMap(loaded.document.contents)) return null;
  const { contents, commentBefore, comment } = loaded.document;
  const before = [commentBefore, contents.commentBefore].filter(Boolean).join("\n");
  if (before) contents.commentBefore = before;
  if (comment) contents.comment = [contents.comment, comment].filter(Boolean).join("\n");
  return contents;
}

function saysDocument(text: string, document: AgentDocument): boolean {
  const loaded = loadYaml(text, { maxCharacters: AGENT_DOCUMENT_MAX_BYTES, maxValues: VALUES_MAX });
  // A document is JSON.
  return loaded.ok && sameJson(loaded.value, document as JsonValue, new ComplexityLimit(100_000));
}
