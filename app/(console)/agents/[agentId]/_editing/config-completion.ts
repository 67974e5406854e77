import { yamlLanguage } from "@codemirror/lang-yaml";
import type { EditorState, Extension } from "@codemirror/state";
import { completeConfig } from "@/lib/console/config/complete-config";
import { AGENT_CONFIG_JSON_SCHEMA } from "@/lib/model/agent-config/agent-config-json-schema";
import type { JsonObject } from "@/lib/model/json-schema/json-value";

/** What the editor hands over; it asks by itself after each letter, and `explicit`ly at Ctrl-Space. */
interface CompletionRequest {
  state: EditorState;
  pos: number;
  explicit: boolean;
}

const LINES_MAX = 2_000;
const SCHEMA = AGENT_CONFIG_JSON_SCHEMA as unknown as JsonObject; // a schema is JSON

/** Offers the keys and values that the config's schema knows at the cursor. */
export function configCompletion(models: readonly string[]): Extension {
  return yamlLanguage.data.of({ autocomplete: (request: CompletionRequest) => complete(request, models) });
}

function complete({ state, pos, explicit }: CompletionRequest, models: readonly string[]) {
  const line = state.doc.lineAt(pos);
  const first = state.doc.line(Math.max(1, line.number - LINES_MAX));
  const found = completeConfig(state.sliceDoc(first.from, pos).split("\n"), SCHEMA, models);
  if (!found || (found.length === 0 && !explicit)) return null;
  return {
    from: pos - found.length,
    options: found.options.map(({ label, info, kind }) => ({
      label,
      type: kind === "key" ? "property" : "enum",
      apply: kind === "key" && state.sliceDoc(pos, pos + 1) !== ":" ? `${label}: ` : label,
      ...(info ? { info } : {}),
    })),
    validFor: /^[\w./-]*$/,
  };
}
