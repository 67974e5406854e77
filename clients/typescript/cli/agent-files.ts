import { createHash } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { isAbsolute, join, parse, relative, resolve, sep, win32 } from "node:path";
import { Document, isMap, parseDocument } from "yaml";
import type { components, LatheClient } from "../../../lib/client/lathe-client";
import { ID } from "./command";
import { CommandError } from "./command-errors";
import { isTaken, readPlainFile, replaceFile } from "./write-file";

type Schemas = components["schemas"];

/** Which agent a file is, and as what it was last seen here. */
interface Entry {
  agent_id: string;
  /** The agent's version when the file was last pulled or pushed. */
  version_id: string;
  /** Of the file's text then: what differs from it was changed here since. */
  sha256: string;
}

/**
 * A folder of agents: a YAML document each, and `.lathe.json`, which says which agent each of them
 * is. Both belong into git, where others write them too: a name in the index is a file of this
 * folder, and no link is followed.
 */
export class AgentFolder {
  readonly #entries: Map<string, Entry>;

  /** @throws CommandError for a folder behind a link, and an index that cannot be trusted */
  constructor(readonly path: string) {
    requireNoLinks(path);
    this.#entries = new Map(readIndex(join(path, INDEX)));
  }

  entry(file: string): Entry | undefined {
    return this.#entries.get(file);
  }

  /** The file of an agent, by its index. */
  fileOf(agentId: string): string | undefined {
    return [...this.#entries].find(([, entry]) => entry.agent_id === agentId)?.[0];
  }

  /**
   * Its documents, or those of them that were named. @throws CommandError when one that was named
   * is not there
   */
  files(named: readonly string[]): string[] {
    const all = existsSync(this.path) ? readdirSync(this.path).filter(isDocumentName) : [];
    const wanted = named.map((name) => name.replace(/^.*\//, ""));
    const missing = wanted.find((name) => !all.includes(name));
    if (missing !== undefined) throw new CommandError(`There is no ${join(this.path, missing)}.`);
    if (all.length === 0)
      throw new CommandError(
        `There are no agents (*.yaml) in ${this.path}. Fetch them first: lathe agents pull`,
      );
    return (wanted.length > 0 ? wanted : all).sort();
  }

  /** @throws CommandError when it is not there, or a link */
  read(file: string): string {
    const text = readPlainFile(join(this.path, file));
    if (text === null) throw new CommandError(`There is no ${join(this.path, file)}.`);
    return text;
  }

  /** Whether its text is another than when it was last pulled or pushed. */
  isChangedHere(file: string): boolean {
    const text = readPlainFile(join(this.path, file));
    return text !== null && this.#entries.get(file)?.sha256 !== sha256(text);
  }

  /** A name that no other agent's file has. */
  freeName(title: string): string {
    const slug =
      title
        .normalize("NFKD")
        .split(/\W/)
        .filter((word) => word !== "")
        .join("-")
        .toLowerCase()
        .slice(0, SLUG_MAX) || "agent";
    for (let count = 1; ; count += 1) {
      const name = `${slug}${count > 1 ? `-${count}` : ""}.yaml`;
      if (!isTaken(join(this.path, name))) return name;
    }
  }

  write(file: string, text: string): void {
    mkdirSync(this.path, { recursive: true });
    replaceFile(join(this.path, file), text);
  }

  /** Remembers that `file` is this agent as it is now. */
  remember(file: string, agent: Pick<Schemas["Agent"], "agent_id" | "current_version_id">): void {
    this.#entries.set(file, {
      agent_id: agent.agent_id,
      version_id: agent.current_version_id,
      sha256: sha256(this.read(file)),
    });
    const sorted = Object.fromEntries(
      [...this.#entries].sort(([left], [right]) => (left < right ? -1 : 1)),
    );
    // Whole or not at all: half an index would make a second agent of each file.
    replaceFile(join(this.path, INDEX), `${JSON.stringify({ agents: sorted }, null, 2)}\n`);
  }
}

const INDEX = ".lathe.json";

/** File systems take 255 bytes. */
const SLUG_MAX = 100;

function readIndex(path: string): [string, Entry][] {
  const text = readPlainFile(path);
  if (text === null) return [];
  const refuse = (why: string) =>
    new CommandError(`${path} cannot be read: ${why}. Take it from git again.`);
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (error) {
    throw refuse((error as Error).message); // of JSON.parse
  }
  if (!isRecord(read) || !isRecord(read.agents)) throw refuse("it has no agents");
  return Object.entries(read.agents).map(([name, entry]) => {
    if (!isDocumentName(name))
      throw refuse(`${JSON.stringify(name)} is no name of a *.yaml file in this folder`);
    if (!isEntry(entry)) throw refuse(`the entry of ${name} does not say which agent it is`);
    return [name, entry];
  });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * Whether it names a document in the folder itself, on whatever system: no way leads out of it, and
 * nothing in it speaks to a terminal.
 */
function isDocumentName(name: string): boolean {
  return win32.basename(name) === name && /^.+\.ya?ml$/.test(name) && !CONTROL.test(name);
}

function isEntry(value: unknown): value is Entry {
  if (!isRecord(value)) return false;
  const { agent_id: agentId, version_id: versionId, sha256: sum } = value;
  return (
    typeof agentId === "string" &&
    ID.test(agentId) &&
    typeof versionId === "string" &&
    typeof sum === "string"
  );
}

/**
 * What a clone holds is written by others: a link in it would take what is pulled to wherever it
 * leads. Folders above the current one are this person's own.
 * @throws CommandError
 */
function requireNoLinks(path: string): void {
  const whole = resolve(path);
  const within = relative(process.cwd(), whole);
  const isWithin = within !== "" && !isAbsolute(within) && within.split(sep)[0] !== "..";
  const parts = isWithin ? within.split(sep) : [parse(whole).base];
  let folder = isWithin ? process.cwd() : parse(whole).dir;
  for (const part of parts) {
    folder = join(folder, part);
    if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new CommandError(
        `${folder} is a link. Links are not followed: give the folder that it leads to by --dir.`,
      );
  }
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/**
 * An agent's document in the words of an update: only what the document says, its config as a text.
 */
type AgentFields = Omit<Schemas["UpdateAgentRequest"], "config" | "release_note"> & {
  cases?: Schemas["CreateAgentCaseRequest"][];
};

const SENT_AS_IT_STANDS: Record<Exclude<keyof AgentFields, "config_content">, true> = {
  name: true,
  description: true,
  version: true,
  write_autonomy: true,
  skill_content: true,
  dashboard_template: true,
  cases: true,
};
const PLAIN = Object.keys(SENT_AS_IT_STANDS);

/** @throws CommandError naming the place when `text` is no agent's document */
export function readAgentFields(text: string, file: string): AgentFields {
  const document = parseDocument(text);
  const [fault] = document.errors;
  if (fault) throw new CommandError(`${file} cannot be read: ${fault.message}`);
  const value: unknown = document.toJS({ maxAliasCount: 0 });
  if (!isMap(document.contents) || !isRecord(value) || value.kind !== "agent")
    throw new CommandError(`${file} is no agent: it has no \`kind: agent\`.`);
  // The service judges what they are; here they are compared and sent.
  const fields = Object.fromEntries(
    PLAIN.filter((name) => value[name] !== undefined).map((name) => [name, value[name]]),
  ) as AgentFields;
  const config = document.get("config", true);
  // As a text of its own, with its comments.
  return config === undefined
    ? fields
    : {
        ...fields,
        config_content: new Document(config).toString({
          lineWidth: 0,
          flowCollectionPadding: false,
        }),
      };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * What of `wanted` is not so in `present`. Cases have no version that says who changed them last:
 * of them it is those that are wanted and not there like this, and none is ever in the way.
 */
export function changedFields(wanted: AgentFields, present: AgentFields): AgentFields {
  const { cases, ...fields } = wanted;
  const differs = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify((present as Record<string, unknown>)[name] ?? null);
  // The same fields, fewer of them.
  const changed = Object.fromEntries(Object.entries(fields).filter(differs));
  const there = new Set(Array.isArray(present.cases) ? present.cases.map(sortedJson) : []);
  const missing = Array.isArray(cases) ? cases.filter((each) => !there.has(sortedJson(each))) : [];
  return { ...changed, ...(missing.length > 0 && { cases: missing }) };
}

/** Of JSON: its keys in one order, and without what is empty as when it is left out. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (key, each: unknown) => {
    if (!isRecord(each)) return each;
    return Object.fromEntries(
      Object.entries(each)
        .filter(([name, part]) => !(key === "" && OFTEN_EMPTY.has(name) && isEmpty(part)))
        .toSorted(([left], [right]) => (left < right ? -1 : 1)),
    );
  });
}

/** Of a case. */
const OFTEN_EMPTY = new Set(["answers", "files"]);
const isEmpty = (value: unknown) => isRecord(value) && Object.keys(value).length === 0;

/** An agent as the service has it now. */
export interface RemoteAgent {
  agent: Schemas["Agent"];
  /** What an update has to name, so that it changes nothing but this. */
  etag: string;
  document: string;
}

/** @throws LatheApiError */
export async function fetchAgent(client: LatheClient, agentId: string): Promise<RemoteAgent> {
  // The tag comes first: what changes in between is then refused, not overwritten.
  const { data, response } = await client.api.GET("/v1/agents/{agent_id}", {
    params: { path: { agent_id: agentId } },
  });
  const agent = data ?? (await client.agents.get(agentId));
  return {
    agent,
    etag: response.headers.get("etag") ?? "",
    document: await client.agents.export(agentId),
  };
}

/** The active agent of this name. @throws CommandError when there is none, or more than one */
export async function findAgent(
  client: LatheClient,
  name: string,
): Promise<Schemas["AgentMetadata"]> {
  const found = await agentsNamed(client, name);
  const [agent] = found;
  if (agent === undefined)
    throw new CommandError(
      `There is no active agent with the id or the name “${name}”. See: lathe agents list`,
    );
  if (found.length > 1)
    throw new CommandError(
      `${found.length} agents have this name; use an id: ` +
        `${found.map(({ agent_id }) => agent_id).join(", ")}`,
    );
  return agent;
}

export async function agentsNamed(
  client: LatheClient,
  name: string,
): Promise<Schemas["AgentMetadata"][]> {
  const found: Schemas["AgentMetadata"][] = [];
  for await (const agent of client.agents.list({ status: "active", limit: 100 }))
    if (agent.name === name) found.push(agent);
  return found;
}
