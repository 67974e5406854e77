import "server-only";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { parseConfigText, rewriteConfigText } from "@/lib/model/agent-config/config-text";
import { keyOrderOfText } from "@/lib/model/agent-config/key-order";
import { convertOpenapi, type OpenapiChoice } from "@/lib/model/agent-config/openapi-tools";
import { type AgentPowers, describeWidening } from "@/lib/model/agent-config/permissions";
import { hostsIn, hostsInJson } from "@/lib/model/agent-config/web-hosts";
import {
  type AgentDocument,
  agentDocumentToText,
  parseAgentDocument,
} from "@/lib/model/agent-document/agent-document";
import { describeDiff, type NamedText } from "@/lib/model/diff-lines";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";
import { parseSkill } from "@/lib/model/skill/parse-skill";
import { decideOfflineTurn, type OfflineAsk } from "@/lib/offline-model/offline-model";
import {
  type AgentDraft,
  checkAgentDraft,
  checkAgentPatch,
} from "@/lib/runtime/drafts/check-agent-draft";
import { type DraftTexts, hostsNamedAnew, lintChange } from "@/lib/runtime/drafts/lint-draft";

/** Models that a config may not name; a thread has no list of those that it may. */
interface Unknown {
  unknownModels: readonly string[];
}

/**
 * Work on texts of strangers that is not done by the loop that serves everybody: each takes and
 * gives what can be copied between threads.
 */
export const TEXT_WORK = {
  "offline-turn": (ask: OfflineAsk) => decideOfflineTurn(ask),
  "describe-diff": ({ before, after }: { before: NamedText[]; after: NamedText[] }) =>
    describeDiff(before, after),
  "convert-openapi": ({ document, choice }: { document: JsonObject; choice: OpenapiChoice }) =>
    convertOpenapi(document, choice),
  "read-config": ({ text, unknownModels }: { text: string } & Unknown) => {
    const parsed = parseConfigText(text, knowsAllBut(unknownModels));
    return parsed.ok ? { ...parsed, keyOrder: keyOrderOfText(text) } : parsed;
  },
  "rewrite-config": ({ text, config }: { text: string; config: AgentConfig }) => {
    const configContent = rewriteConfigText(text, config);
    return { configContent, keyOrder: keyOrderOfText(configContent) };
  },
  "read-agent-document": ({ text, unknownModels }: { text: string } & Unknown) => {
    const parsed = parseAgentDocument(text, knowsAllBut(unknownModels));
    return parsed.ok ? { ...parsed, keyOrder: keyOrderOfText(parsed.configContent) } : parsed;
  },
  "write-agent-document": (given: { document: AgentDocument; configContent: string }) =>
    agentDocumentToText(given.document, given.configContent),
  "read-skill": (content: string) => parseSkill(content),
  "check-draft": ({
    input,
    namedHosts,
    unknownModels,
  }: { input: unknown; namedHosts: readonly string[] } & Unknown) =>
    checkAgentDraft(input, { ...knowsAllBut(unknownModels), namedHosts }),
  "check-patch": ({
    input,
    agent,
    namedHosts,
    unknownModels,
  }: {
    input: unknown;
    agent: Pick<AgentDraft, "config" | "configContent" | "skillContent" | "writeAutonomy">;
    namedHosts: readonly string[];
  } & Unknown) => checkAgentPatch(input, agent, { ...knowsAllBut(unknownModels), namedHosts }),
  "lint-draft": (given: {
    draft: DraftTexts;
    before: DraftTexts | null;
    secretNames: readonly string[];
  }) => lintChange(given.draft, given.before, given.secretNames),
  "hosts-anew": (given: {
    draft: DraftTexts;
    before: DraftTexts | null;
    said: readonly string[];
  }) => hostsNamedAnew(given.draft, given.before, given.said),
  "hosts-named": ({ text, value }: { text: string; value: JsonValue }) => [
    ...new Set([...hostsIn(text), ...hostsInJson(value)]),
  ],
  "describe-widening": ({ before, after }: { before: AgentPowers; after: AgentPowers }) =>
    describeWidening(before, after),
};

function knowsAllBut(unknown: readonly string[]) {
  return { isKnownModel: (model: string) => !unknown.includes(model) };
}

export type TextWork = typeof TEXT_WORK;

/** To a worker: one piece of work. */
export interface TextWorkOrder {
  kind: keyof TextWork;
  input: unknown;
  /** Of its answer as JSON. */
  maxCharacters: number;
}

/** From a worker: that it can begin, or what came of its order. */
export type TextWorkReport =
  | { is: "ready" }
  | { is: "done"; json: string }
  | { is: "long" }
  | { is: "failed"; name: string; code: string | null; message: string };
