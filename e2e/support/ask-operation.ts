import type { ApiClient, RequestOptions } from "./api-client";
import type { DocumentedOperation } from "./api-document";
import type { ApiResponse } from "./api-response";
import type { Belongings } from "./belongings";
import { NOWHERE_ID } from "./nowhere-id";

const DOCUMENT = "kind: agent\nformat: 1\nname: N\nskill_content: S\n";
const raw = (text: string, type: string): RequestOptions => ({ raw: text, headers: { "content-type": type } });

/** A request of each operation that needs a body, which a service without limits would accept. */
const GOOD: Record<string, RequestOptions> = {
  createAgent: { json: { input: "An agent, please." } },
  updateAgent: { json: { name: "Taken over" } },
  duplicateAgent: { json: {} },
  importAgent: raw(DOCUMENT, "application/yaml"),
  restoreAgentVersion: { json: {} },
  createAgentEdit: { json: { input: "Rename it." } },
  createRun: { json: { input: {} } },
  createRealtimeRun: { json: { input: {} } },
  createWorkspace: { json: { name: "Another" } },
  updateWorkspace: { json: { name: "Taken over" } },
  uploadFile: { ...raw("planted", "text/plain"), query: { path: "planted.txt" } },
  createSecret: { json: { name: "ANOTHER", value: "x", allowed_hosts: ["api.nowhere.invalid"] } },
  updateSecret: { json: { value: "taken over" } },
  installSkill: { json: { content: "---\nname: another\ndescription: x\n---\nx" } },
  rotateWebhookSecret: { json: { overlap_minutes: 60 } },
  resolveApproval: { json: { decision: "approve" } },
  createSchedule: { json: { cron: "0 0 1 1 *" } },
  updateSchedule: { json: { cron: "0 0 2 2 *" } },
  putProductProfile: { json: { name: "Taken over" } },
  createSuperAgentRun: { json: { input: {} } },
  createSuperAgentRealtimeRun: { json: { input: {} } },
  createAppRun: { json: { inputs: {} } },
};

/** A request that `operation` would accept but for its path. Throws for an operation whose body is not known here. */
export function goodRequest(operation: DocumentedOperation): RequestOptions {
  const good = GOOD[operation.id];
  if (good === undefined && operation.takesJson) throw new Error(`Add a good body of ${operation.id} to ask-operation.ts.`);
  return good ?? {};
}

/** The client whose key the operation takes. */
export function clientOf(owner: Belongings, operation: DocumentedOperation): ApiClient {
  return operation.key === "app" ? owner.app : owner.account.api;
}

/** Where each id of the operation's path stands: the path up to and with it. */
export function placesOf({ path, places }: DocumentedOperation): string[] {
  return places.map((place) => path.slice(0, path.indexOf(`{${place}}`) + place.length + 2));
}

/** The owner's id for a place. Throws when there is none: a new kind of object has to be added to `belongings.ts`. */
export function idAt(owner: Belongings, place: string): string {
  const id = owner.ids[place];
  if (id === undefined) throw new Error(`Add an object for ${place} to belongings.ts.`);
  return id;
}

/** What nobody has at a place. */
export function nobodysAt(place: string): string {
  return place.endsWith("{name}") ? "NOBODYS_SECRET" : NOWHERE_ID;
}

/** Asks the operation with these ids in its places, by a request that it would accept unless `options` say otherwise. */
export function askOperation(
  client: ApiClient,
  operation: DocumentedOperation,
  ids: string[],
  options: RequestOptions = {},
): Promise<ApiResponse> {
  const path = operation.places.reduce((text, place, index) => text.replace(`{${place}}`, ids[index] ?? ""), operation.path);
  return client.request(operation.method, path, { ...goodRequest(operation), ...options });
}
