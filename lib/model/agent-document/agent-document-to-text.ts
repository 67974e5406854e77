import { Document, isMap, Scalar } from "yaml";
import { loadYaml } from "@/lib/model/agent-config/yaml/load-yaml";
import { type JsonValue, sameJson } from "@/lib/model/json-schema/json-value";
import { WorkBudget } from "@/lib/model/json-schema/work-budget";
import { CONFIG_CONTENT_MAX_CHARACTERS } from "@/lib/model/limits";
import type { AgentDocument } from "./agent-document-schema";
import { AGENT_DOCUMENT_MAX_BYTES } from "./parse-agent-document";

const VALUES_MAX = 20_000;

/**
 * An agent's document as YAML for people: the skill as a block of lines, the config with the comments of `configContent`, which must say `document.config`.
 * Where that would not read back as exactly the document, it is written as JSON, which is YAML too.
 */
export function agentDocumentToText(document: AgentDocument, configContent: string): string {
  const { kind, format, name, description, version, write_autonomy, skill_content, config, dashboard_template } = document;
  const yaml = new Document({ kind, format, name, description, version, write_autonomy }, { version: "1.2", aliasDuplicateObjects: false });
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
  return loaded.ok && sameJson(loaded.value, document as JsonValue, new WorkBudget(100_000)); // a document is JSON
}
