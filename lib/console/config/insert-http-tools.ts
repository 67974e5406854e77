import { checkConfigDraft } from "@/lib/console/config/config-draft";
import { rewriteConfigText } from "@/lib/model/agent-config/config-text";
import type { HttpToolEntry } from "@/lib/model/agent-config/openapi-tools";

/**
 * A config's text with these entries in its `tools.http`; one of the same name takes the place of the old one. All else stays as it is written, comments too.
 * Null while the text itself does not fit: there is no config to add to.
 */
export function insertHttpTools(text: string, tools: readonly HttpToolEntry[]): string | null {
  const { config } = checkConfigDraft(text);
  if (!config) return null;
  const names = new Map(tools.map((tool) => [tool.name, tool]));
  const kept = (config.tools?.http ?? []).map((tool) => names.get(tool.name) ?? tool);
  const added = tools.filter(({ name }) => !kept.some((tool) => tool.name === name));
  return rewriteConfigText(text, { ...config, tools: { ...config.tools, http: [...kept, ...added] } });
}
