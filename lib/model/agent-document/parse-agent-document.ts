import { Document, isMap } from "yaml";
import type { z } from "zod";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { type CheckAgentConfigOptions, checkAgentConfig } from "@/lib/model/agent-config/check-agent-config";
import { configToText, saysConfig } from "@/lib/model/agent-config/config-to-text";
import { type LoadedYaml, loadYamlInSteps } from "@/lib/model/agent-config/yaml/load-yaml";
import type { TextError } from "@/lib/model/agent-config/yaml/text-error";
import { atOnce } from "@/lib/model/at-once";
import { checkDashboardTemplate } from "@/lib/model/dashboard/check-dashboard-template";
import type { JsonIssue } from "@/lib/model/json-schema/json-value";
import { type AgentDocument, agentDocumentSchema } from "./agent-document-schema";

/** Longest document, in characters and in bytes of UTF-8: more than an agent at all its limits needs. */
export const AGENT_DOCUMENT_MAX_BYTES = 4 * 1024 * 1024;

/** Values of config and dashboard at their limits, and the document's own. */
const VALUES_MAX = 20_000;
const ERRORS_MAX = 20;

/** A document that was read, with its config and the YAML text of that. */
export type ParsedAgentDocument =
  | { ok: true; document: AgentDocument; config: AgentConfig; configContent: string }
  | { ok: false; errors: TextError[] };

/** Reads an agent's document from a YAML text, which may be hostile (see `loadYaml`). Comments inside its config are kept. Never throws. */
export function parseAgentDocument(text: string, options: CheckAgentConfigOptions = {}): ParsedAgentDocument {
  return atOnce(parseAgentDocumentInSteps(text, options));
}

/** The same in small steps. */
export function* parseAgentDocumentInSteps(
  text: string,
  options: CheckAgentConfigOptions = {},
): Generator<void, ParsedAgentDocument, void> {
  const loaded = yield* loadYamlInSteps(text, { maxCharacters: AGENT_DOCUMENT_MAX_BYTES, maxValues: VALUES_MAX });
  if (!loaded.ok) return loaded;
  const refuse = (issues: readonly JsonIssue[]) => ({ ok: false as const, errors: issues.slice(0, ERRORS_MAX).map(loaded.errorAt) });
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
  return { ok: true, document: parsed.data, config: checked.config, configContent: configText(loaded, checked.config) };
}

function toIssues(issue: z.core.$ZodIssue): JsonIssue[] {
  // Paths of JSON hold no symbols.
  const path = issue.path as (string | number)[];
  if (issue.code !== "unrecognized_keys") return [{ path, message: issue.message }];
  return issue.keys.slice(0, ERRORS_MAX).map((key) => ({ path: [...path, key], message: "Is not a known key.", atKey: true }));
}

function under(field: string, issues: readonly JsonIssue[]): JsonIssue[] {
  return issues.map((issue) => ({ ...issue, path: [field, ...issue.path] }));
}

/** The config's part of the text as a text of its own; a fresh one where that would say anything else. */
function configText({ document }: LoadedYaml, config: AgentConfig): string {
  const node = document.get("config", true);
  if (!isMap(node)) return configToText(config);
  const text = new Document(node, { version: "1.2" }).toString({ lineWidth: 0, flowCollectionPadding: false });
  return saysConfig(text, config) ? text : configToText(config);
}
