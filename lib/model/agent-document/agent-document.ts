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

/** An agent's row as a document; it was stored only after validation. */
export function toAgentDocument(agent: Record<DocumentedKey, unknown>): AgentDocument {
  const parts = DOCUMENTED_KEYS.map((key) => [toSnakeCase(key), agent[key]]);
  // As above: the columns' types know less.
  return { kind: "agent", format: 1, ...Object.fromEntries(parts) } as AgentDocument;
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
const VALUES_MAX = 20_000;
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
 * comments of `configContent`, which must say `document.config`.
 * Where that would not read back as exactly the document, it is written as JSON, which is YAML too.
 */
export function agentDocumentToText(document: AgentDocument, configContent: string): string {
  const { skill_content, config, dashboard_template, ...plain } = document;
  const yaml = new Document(plain, { version: "1.2", aliasDuplicateObjects: false });
  const skill = new Scalar(skill_content);
  if (skill_content.includes("\n")) skill.type = Scalar.BLOCK_LITERAL;
  yaml.set("skill_content", skill);
  yaml.set("config", configNode(configContent) ?? yaml.createNode(config));
  yaml.set("dashboard_template", yaml.createNode(dashboard_template));
  const text = yaml.toString({ lineWidth: 0, flowCollectionPadding: false });
  return saysDocument(text, document) ? text : `${JSON.stringify(document)}\n`;
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
  return loaded.ok && sameJson(loaded.value, document as JsonValue, new ComplexityLimit(100_000)); // a document is JSON
}
