import "server-only";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import { fitsHostPattern, hostOf, hostsIn, hostsInJson } from "@/lib/model/agent-config/web-hosts";
import type { JsonValue } from "@/lib/model/json-schema/json-value";
import { postgres } from "@/lib/platform/postgres";
import type { FetchRule } from "@/lib/runtime/tools/web-fetch-tool";

const MESSAGES_MAX = 60;
const MESSAGE_MAX_CHARACTERS = 120_000;

/**
 * Which hosts a run may fetch from the web without asking, where a workspace's files lie at hand: an address can carry what was read to whoever answers it,
 * and a file or a page may tell the model to send it there. Those are the hosts that the person named (in the input or earlier in the conversation), that the
 * owner wrote into the agent, that a search result gave, and that somebody approved in this run. Null: no files, no rule. It holds under every write
 * autonomy: that governs connectors.
 * @param allowedHosts the config's `tools.web.allowed_hosts`
 */
export function fetchRule(run: LoadedRun, allowedHosts: readonly string[]): FetchRule | null {
  if (!run.hasFiles) return null;
  let rule: ReturnType<FetchRule> | undefined;
  return () => {
    rule ??= makeRule(run, allowedHosts);
    return rule;
  };
}

async function makeRule(run: LoadedRun, allowedHosts: readonly string[]): Promise<(url: URL) => boolean> {
  const named = new Set([
    ...fromPerson(run),
    ...(await fromConversation(run)),
    ...fromAgent(run),
    ...fromSearches(run),
    ...fromApprovals(run),
  ]);
  return (url) => named.has(hostOf(url)) || allowedHosts.some((pattern) => fitsHostPattern(url, pattern));
}

/** What another agent's run gave as input is a model's word. */
function fromPerson(run: LoadedRun): Iterable<string> {
  return run.origin === "agent" ? [] : hostsInJson(run.input as JsonValue); // parsed from JSON when the run was accepted
}

async function fromConversation(run: LoadedRun): Promise<string[]> {
  if (!run.conversationId) return [];
  const { rows } = await postgres().query<{ text: string }>(
    `SELECT left(m.text, $5) AS text FROM messages m JOIN runs r ON r.id = m.run_id
     WHERE m.conversation_id = $1 AND r.account_id = $2 AND m.role = 'user' AND m.run_id < $3 AND r.origin <> 'agent' ORDER BY m.id DESC LIMIT $4`,
    [run.conversationId, run.accountId, run.id, MESSAGES_MAX, MESSAGE_MAX_CHARACTERS],
  );
  return rows.flatMap(({ text }) => [...hostsIn(text)]);
}

/** An agent that an agent made says what a model wrote; one that a person asked for, or changed, says what its owner wants. */
function fromAgent(run: LoadedRun): string[] {
  if (!run.agent?.isOwners) return [];
  return [...hostsIn(run.agent.skillContent), ...hostsInJson(run.agent.config as JsonValue)]; // a config is JSON
}

function fromSearches(run: LoadedRun): string[] {
  return [...run.toolResults.values()].flatMap(({ name, succeeded, output }) => {
    const results = name === "web_search" && succeeded ? (output as { results?: { url?: unknown }[] }).results : null; // `createWebSearchTool`'s
    return (results ?? []).flatMap(({ url }) => (typeof url === "string" && URL.canParse(url) ? [hostOf(new URL(url))] : []));
  });
}

function fromApprovals(run: LoadedRun): string[] {
  return run.approved.flatMap(({ toolName, arguments: args }) => {
    const { url } = toolName === "web_fetch" ? (args as { url?: unknown }) : {}; // checked against the tool's schema before anybody was asked
    return typeof url === "string" && URL.canParse(url) ? [hostOf(new URL(url))] : [];
  });
}
