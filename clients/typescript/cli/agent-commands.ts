import { LatheApiError, type LatheClient } from "../../../lib/client/lathe-client";
import {
  AgentFolder,
  agentsNamed,
  changedFields,
  fetchAgent,
  findAgent,
  type RemoteAgent,
  readAgentFields,
} from "./agent-files";
import { type Command, type Context, printable, requireWords } from "./command";
import { CommandError } from "./command-errors";

const FOLDER_OPTION = { dir: { type: "string", default: "agents" } } as const;

export const LIST: Command = {
  usage: "[--json]",
  summary: "List the active agents",
  options: { json: { type: "boolean" } },
  async run({ words, has }, { client, out }) {
    requireWords(words, []);
    for await (const agent of client().agents.list({ status: "active", limit: 100 }))
      out(
        has("json")
          ? `${JSON.stringify(agent)}\n`
          : `${agent.agent_id}  ${agent.version.padEnd(8)}  ${printable(agent.name)}\n`,
      );
    return 0;
  },
};

export const PULL: Command = {
  usage: "[AGENT …] [--dir agents] [--force]",
  summary: "Write agents, all active ones or those named by id or name, into files",
  details:
    "A file that was changed here since the last pull or push is kept, unless --force is given.",
  options: { ...FOLDER_OPTION, force: { type: "boolean" } },
  async run({ words, text, has }, { client, say }) {
    const folder = new AgentFolder(text("dir") ?? "agents");
    const lathe = client();
    let kept = 0;
    for (const agentId of await idsOf(lathe, words)) {
      const { agent, document } = await fetchAgent(lathe, agentId);
      const known = folder.fileOf(agentId);
      const file = known ?? folder.freeName(agent.name);
      if (
        known !== undefined &&
        folder.isChangedHere(file) &&
        folder.read(file) !== document &&
        !has("force")
      ) {
        kept += 1;
        say(`${file}: kept, as it was changed here. Push it, or pull with --force.`);
        continue;
      }
      folder.write(file, document);
      folder.remember(file, agent);
      say(`${file}: ${printable(agent.name)}, version ${agent.version}`);
    }
    return kept > 0 ? 1 : 0;
  },
};

async function idsOf(client: LatheClient, names: string[]): Promise<string[]> {
  const ids: string[] = [];
  if (names.length === 0)
    for await (const { agent_id } of client.agents.list({ status: "active", limit: 100 }))
      ids.push(agent_id);
  for (const name of names)
    ids.push(/^[0-9a-f-]{36}$/.test(name) ? name : (await findAgent(client, name)).agent_id);
  return ids;
}

/** What a file is beside the service's agent. */
type Comparison =
  | { state: "new" }
  | { state: "same"; remote: RemoteAgent }
  /** `moved`: the agent was changed elsewhere since the file was last pulled or pushed. */
  | { state: "changed" | "moved"; remote: RemoteAgent };

/**
 * The release note of what `push` makes: by it a later push knows that nobody changed the agent in
 * between by other means.
 */
const PUSHED = "Pushed from a file by lathe agents push";

async function compare(
  client: LatheClient,
  folder: AgentFolder,
  file: string,
  overPushed: boolean,
): Promise<Comparison> {
  const local = readAgentFields(folder.read(file), file);
  const entry = folder.entry(file);
  const agentId = entry?.agent_id ?? (await takenOver(client, file, local.name ?? "", overPushed));
  if (agentId === null) return { state: "new" };
  const remote = await fetchAgent(client, agentId).catch((error: unknown) => {
    if (error instanceof LatheApiError && error.status === 404)
      throw new CommandError(
        `${file} is agent ${agentId}, which this account does not have. Are you signed in to the ` +
          "right one?",
      );
    throw error;
  });
  if (
    Object.keys(changedFields(local, readAgentFields(remote.document, "The service's document")))
      .length === 0
  )
    return { state: "same", remote };
  if (remote.agent.current_version_id === entry?.version_id) return { state: "changed", remote };
  return { state: overPushed && (await isPushed(client, remote)) ? "changed" : "moved", remote };
}

/**
 * A file that the index does not know may be an agent that an earlier push, in another clone, made
 * of it.
 */
async function takenOver(
  client: LatheClient,
  file: string,
  name: string,
  overPushed: boolean,
): Promise<string | null> {
  const [agent, ...more] = await agentsNamed(client, name);
  if (agent === undefined) return null;
  if (overPushed && more.length === 0) return agent.agent_id;
  throw new CommandError(
    `${file} is not in .lathe.json, and there is an agent of its name already ` +
      `(${agent.agent_id}). Pull that one, or rename yours.`,
  );
}

/** An import has no note: nobody has changed what it made while it is the first version. */
async function isPushed(client: LatheClient, { agent }: RemoteAgent): Promise<boolean> {
  const { release_note, number, run_id } = await client.agents.getVersion(
    agent.agent_id,
    agent.current_version_id,
  );
  return release_note === PUSHED || (number === 1 && run_id === null);
}

const OVER_PUSHED = { "over-pushed": { type: "boolean" } } as const;

export const DIFF: Command = {
  usage: "[FILE …] [--dir agents]",
  summary: "Show how files differ from the service's agents; ends with code 1 when they do",
  options: { ...FOLDER_OPTION, ...OVER_PUSHED },
  async run({ words, text }, context) {
    const folder = new AgentFolder(text("dir") ?? "agents");
    const lathe = context.client();
    let differs = 0;
    for (const file of folder.files(words)) {
      const comparison = await compare(lathe, folder, file, true);
      if (comparison.state === "same") continue;
      differs += 1;
      showDifference(folder, file, comparison, context);
    }
    if (differs === 0) context.say("No differences.");
    return differs > 0 ? 1 : 0;
  },
};

function showDifference(
  folder: AgentFolder,
  file: string,
  comparison: Comparison,
  { out }: Context,
): void {
  const before = comparison.state === "new" ? "" : comparison.remote.document;
  out(
    printable(
      diffTexts(before, folder.read(file), {
        before: `service/${file}`,
        after: `${folder.path}/${file}`,
      }),
    ),
  );
}

export const PUSH: Command = {
  usage: "[FILE …] [--dir agents] [--dry-run] [--over-pushed] [--force]",
  summary: "Make and change the service's agents so that they are as the files",
  details: `An agent that was changed elsewhere since its file was last pulled or pushed is left \
as it is, its difference is shown, and the code is 1.
  --over-pushed  replaces changes that other pushes made, but nobody else's: for CI, where git \
says what is newest
  --force        replaces whatever is there
  --dry-run      says what would be done, and does nothing`,
  options: {
    ...FOLDER_OPTION,
    ...OVER_PUSHED,
    "dry-run": { type: "boolean" },
    force: { type: "boolean" },
  },
  async run({ words, text, has }, context) {
    const folder = new AgentFolder(text("dir") ?? "agents");
    const lathe = context.client();
    const files = folder.files(words);
    // A fault in the last file is told before the first is pushed.
    const comparisons: [string, Comparison][] = [];
    for (const file of files)
      comparisons.push([file, await compare(lathe, folder, file, has("over-pushed"))]);
    let refused = 0;
    for (const [file, comparison] of comparisons) {
      if (comparison.state === "moved" && !has("force")) {
        refused += 1;
        context.say(
          `${file}: refused, as the agent was changed elsewhere. Take that over by lathe agents ` +
            `pull --force ${comparison.remote.agent.agent_id}, or push with --force.`,
        );
        showDifference(folder, file, comparison, context);
      } else if (!(await push(lathe, folder, file, comparison, has("dry-run"), context)))
        refused += 1;
    }
    return refused > 0 ? 1 : 0;
  },
};

/** @returns false when the agent was changed in this very moment */
async function push(
  client: LatheClient,
  folder: AgentFolder,
  file: string,
  comparison: Comparison,
  isDry: boolean,
  { say }: Context,
) {
  const text = folder.read(file);
  if (comparison.state === "new") {
    if (!isDry) folder.remember(file, await client.agents.import(text));
    say(`${file}: ${isDry ? "would be created" : "created"}`);
    return true;
  }
  const { agent, etag, document } = comparison.remote;
  if (comparison.state === "same") {
    if (!isDry) folder.remember(file, agent);
    say(`${file}: unchanged`);
    return true;
  }
  const change = changedFields(
    readAgentFields(text, file),
    readAgentFields(document, "The service's document"),
  );
  const { cases = [], ...fields } = change;
  const names = Object.keys(change).join(", ");
  if (isDry) {
    say(`${file}: would be changed (${names})`);
    return true;
  }
  try {
    const headers = { "If-Match": etag };
    const isUpdated = Object.keys(fields).length > 0;
    const updated = isUpdated
      ? await client.agents.update(agent.agent_id, { ...fields, release_note: PUSHED }, { headers })
      : agent;
    for (const each of cases) await client.agentCases.create(agent.agent_id, each);
    folder.remember(file, updated);
  } catch (error) {
    if (!(error instanceof LatheApiError) || error.code !== "VERSION_CONFLICT") throw error;
    say(
      `${file}: refused, as the agent was changed in this very moment. Look at it: lathe agents ` +
        `diff ${file}`,
    );
    return false;
  }
  say(`${file}: changed (${names})`);
  return true;
}

const CONTEXT_LINES = 3;
/**
 * Beyond this, the changed part is shown as a whole: a table of all pairs of lines would take too
 * much memory.
 */
const PAIRS_MAX = 4_000_000;

interface Line {
  mark: " " | "-" | "+";
  text: string;
}

/**
 * The lines by which two texts differ, in the manner of `diff -u` without its headings of places;
 * empty when they are the same.
 */
function diffTexts(
  before: string,
  after: string,
  names: { before: string; after: string },
): string {
  if (before === after) return "";
  const lines = diffLines(before.split("\n"), after.split("\n"));
  const shown = lines.map((_, place) =>
    lines
      .slice(Math.max(0, place - CONTEXT_LINES), place + CONTEXT_LINES + 1)
      .some(({ mark }) => mark !== " "),
  );
  const parts = [`--- ${names.before}`, `+++ ${names.after}`];
  for (const [place, { mark, text }] of lines.entries()) {
    if (!shown[place]) continue;
    if (!shown[place - 1]) parts.push("@@");
    parts.push(`${mark}${text}`);
  }
  return `${parts.join("\n")}\n`;
}

function diffLines(before: string[], after: string[]): Line[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start])
    start += 1;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before.at(-1 - end) === after.at(-1 - end)
  )
    end += 1;
  const same = (lines: string[]): Line[] => lines.map((text) => ({ mark: " ", text }));
  const changed = diffChanged(
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
  );
  return [...same(before.slice(0, start)), ...changed, ...same(before.slice(before.length - end))];
}

/** By the longest common subsequence. */
function diffChanged(before: string[], after: string[]): Line[] {
  const width = after.length + 1;
  if (before.length * after.length > PAIRS_MAX)
    return [
      ...before.map((text): Line => ({ mark: "-", text })),
      ...after.map((text): Line => ({ mark: "+", text })),
    ];
  const lengths = new Uint32Array((before.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1)
    for (let column = after.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: Line[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const [old, made] = [before[row], after[column]];
    if (old !== undefined && old === made) {
      lines.push({ mark: " ", text: old });
      row += 1;
      column += 1;
    } else if (
      old !== undefined &&
      (made === undefined || at(row + 1, column) >= at(row, column + 1))
    ) {
      lines.push({ mark: "-", text: old });
      row += 1;
    } else {
      lines.push({ mark: "+", text: made ?? "" });
      column += 1;
    }
  }
  return lines;
}
