import {
  type Agent,
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
} from "node:http";
import type { ApiDocument, DocumentedOperation, DocumentSchemas } from "../api-document";
import { freshAddress } from "../fresh-address";
import { answerFaults, matchOperation, outsideDocument } from "./answer-faults";
import { type Answer, keepObjects, type ObjectPool } from "./object-pool";
import {
  type Credential,
  type FilledRequest,
  fillRequest,
  type PlannedRequest,
  toCurl,
} from "./planned-request";

const ANSWER_WITHIN_MS = 240_000;
/** How long an endless answer is listened to. */
const STREAM_MS = 250;

/**
 * Sends a request byte for byte as it is, and reads the answer; a stream is left after a moment.
 * Fails when none comes, or a broken one.
 */
function exchange(baseUrl: string, agent: Agent, request: FilledRequest): Promise<Answer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const headers = Object.fromEntries(request.headers);
    const hasBody = request.body !== null && request.body.length > 0;
    const length =
      hasBody && headers["transfer-encoding"] === undefined
        ? { "content-length": request.body?.length }
        : {};
    const sent = httpRequest({
      hostname,
      port,
      agent,
      method: request.method,
      path: request.target,
      // Each from an address of its own: this test makes more of them than one may.
      headers: { "x-forwarded-for": freshAddress(), ...headers, ...length },
    });
    sent.setTimeout(ANSWER_WITHIN_MS, () =>
      sent.destroy(new Error(`There was no answer within ${ANSWER_WITHIN_MS} ms.`)),
    );
    sent.on("response", (response) => void read(sent, response).then(resolve, reject));
    sent.on("error", reject);
    sent.end(hasBody ? request.body : undefined);
  });
}

async function read(sent: ClientRequest, response: IncomingMessage): Promise<Answer> {
  const parts: Buffer[] = [];
  let cut = false;
  const isStream = /x-ndjson/.test(response.headers["content-type"] ?? "");
  const leave = setTimeout(
    () => {
      cut = true;
      sent.destroy();
    },
    isStream ? STREAM_MS : ANSWER_WITHIN_MS,
  );
  try {
    for await (const part of response) parts.push(part);
  } catch (error) {
    if (!cut || !isStream) throw error;
  } finally {
    clearTimeout(leave);
  }
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: Buffer.concat(parts),
    cut,
  };
}

interface SenderParts {
  baseUrl: string;
  agent: Agent;
  document: ApiDocument;
  schemas: DocumentSchemas;
  pool: ObjectPool;
  tally: StatusTally;
  /** Keys of the developer API; `own` of the app-scoped path is `appKey`. */
  keys: Record<Exclude<Credential, "other-surface">, string | null>;
  appKey: string;
}

/** Sends planned requests and judges the answers. */
export class RequestSender {
  readonly #parts: SenderParts;

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  /** Throws an error with all that is wrong with the answer, and the request as a command. */
  async send(planned: PlannedRequest): Promise<Answer> {
    const request = fillRequest(planned, this.#parts.pool, this.#keysFor(planned));
    const answer = await this.#exchanged(request);
    const faults = this.#faultsOf(planned, request, answer);
    this.#parts.tally.count(planned.operation.id, answer.status, planned.fault === null);
    if (faults.length > 0)
      throw new Error(
        `${faults.join("\n")}\n${answer.status} ${answer.body.toString("utf8").slice(0, 600)}\n` +
          `${this.#describe(planned, request)}`,
      );
    if (planned.credential === "own" && planned.method === planned.operation.method && !answer.cut)
      keepObjects(this.#parts.pool, planned.operation, request.target, answer);
    return answer;
  }

  async #exchanged(request: FilledRequest): Promise<Answer> {
    try {
      return await exchange(this.#parts.baseUrl, this.#parts.agent, request);
    } catch (error) {
      throw new Error(`No whole answer: ${String(error)}\n${toCurl(this.#parts.baseUrl, request)}`);
    }
  }

  #faultsOf(planned: PlannedRequest, request: FilledRequest, answer: Answer): string[] {
    const { document, schemas } = this.#parts;
    const namesHost = request.headers.some(([name]) => name.toLowerCase() === "host");
    const faults = answerFaults(
      document.operations,
      schemas,
      request.method,
      request.target,
      answer,
      namesHost,
    );
    const { operation } = matchOperation(document.operations, request.method, request.target);
    const reason = planned.mustRefuse
      ? planned.fault
      : operation && outsideDocument(schemas, operation, request);
    return reason && answer.status < 400
      ? [...faults, `the status ${answer.status} where the request must be refused: ${reason}`]
      : faults;
  }

  #describe(planned: PlannedRequest, request: FilledRequest): string {
    return (
      `${planned.operation.id}, ${planned.fault ?? "a valid request"} (key: ` +
      `${planned.credential})\n${toCurl(this.#parts.baseUrl, request)}`
    );
  }

  #keysFor({ operation }: PlannedRequest): Record<Credential, string | null> {
    const { keys, appKey } = this.#parts;
    return operation.auth === "app"
      ? { ...keys, own: appKey, "other-surface": keys.own }
      : { ...keys, "other-surface": appKey };
  }
}

/** Counts answers by operation and status, for the test's output and its demands. */
export class StatusTally {
  readonly #counts = new Map<string, Map<number, number>>();
  readonly #allowed = new Map<string, { all: number; good: number }>();

  count(operationId: string, status: number, isValid: boolean): void {
    const row = this.#counts.get(operationId) ?? new Map<number, number>();
    row.set(status, (row.get(status) ?? 0) + 1);
    this.#counts.set(operationId, row);
    const { all, good } = this.#allowed.get(operationId) ?? { all: 0, good: 0 };
    if (isValid)
      this.#allowed.set(operationId, { all: all + 1, good: good + (status < 400 ? 1 : 0) });
  }

  get total(): number {
    return [...this.#counts.values()]
      .flatMap((row) => [...row.values()])
      .reduce((sum, count) => sum + count, 0);
  }

  of(operationId: string, status: number): number {
    return this.#counts.get(operationId)?.get(status) ?? 0;
  }

  ofStatus(status: number): number {
    return [...this.#counts.keys()].reduce((sum, id) => sum + this.of(id, status), 0);
  }

  succeeded(operationId: string): number {
    return [...(this.#counts.get(operationId) ?? [])]
      .filter(([status]) => status < 300)
      .reduce((sum, [, count]) => sum + count, 0);
  }

  /** One line an operation: its statuses, and how many of the valid requests were taken. */
  toString(): string {
    const lines = [...this.#counts].map(([id, row]) => {
      const statuses = [...row]
        .sort(([a], [b]) => a - b)
        .map(([status, count]) => `${status}×${count}`);
      const { all, good } = this.#allowed.get(id) ?? { all: 0, good: 0 };
      return `${id.padEnd(30)} ${statuses.join("  ")}   (${good} of ${all} valid ones taken)`;
    });
    return [...lines.sort(), `${this.total} requests`].join("\n");
  }
}

/** Answers that only one operation in many gives: demanded of all of them together. */
const SOMEWHERE = [304, 402, 403, 405, 409, 412, 416, 429];

/**
 * What succeeds only with what no generated value holds: the ids of calls that wait
 * (client-tools.spec.ts), a whole document of another API, or the path of a file that this very run
 * has kept (run-files.spec.ts); and a run of the app-scoped path, of which there are too few among
 * all for luck to find one to cancel (document-examples.spec.ts).
 */
const NEEDS_MORE = new Set([
  "cancelAppRun",
  "convertOpenapi",
  // An origin, and an approval of a run by an app key (client-token-attempts.db.test.ts).
  "createClientToken",
  "getAppApproval",
  "resolveAppApproval",
  // A person who is there (end-users.spec.ts).
  "getEndUser",
  "exportEndUser",
  "eraseEndUser",
  "getRunFileContent",
  // What a person has said at an approval (approvals-bind.db.test.ts).
  "deleteRememberedApproval",
  // Runs at work that have a limit (budgets.spec.ts).
  "updateRun",
  "updateAppRun",
  "updateSuperAgentRun",
  // A run at work (messages.spec.ts).
  "sendAppMessage",
  "sendMessage",
  "sendSuperAgentMessage",
  "submitToolResults",
  "submitAppToolResults",
]);

/**
 * The documented answers that a run never saw, although its requests were made to bring them about;
 * empty when it reached them all.
 */
export function uncovered(
  operations: readonly DocumentedOperation[],
  tally: StatusTally,
): string[] {
  const missed = operations.flatMap((operation) => {
    const wanted = [400, 401, 404, 413].filter((status) => isOwed(operation, status));
    const faults = wanted
      .filter((status) => tally.of(operation.id, status) === 0)
      .map((status) => `${operation.id} never answered ${status}`);
    return tally.succeeded(operation.id) === 0 && !NEEDS_MORE.has(operation.id)
      ? [`${operation.id} never succeeded`, ...faults]
      : faults;
  });
  const never = SOMEWHERE.filter((status) => tally.ofStatus(status) === 0).map(
    (status) => `no operation answered ${status}`,
  );
  return [...missed, ...never];
}

/**
 * Whether the requests are sure to bring this answer about: a body over the limit is only sent as
 * JSON.
 */
function isOwed(operation: DocumentedOperation, status: number): boolean {
  if (!operation.responses.has(status)) return false;
  // Any text up to a length is a person's name.
  if (status === 400 && operation.path.includes("{end_user}")) return false;
  return (
    status !== 413 ||
    operation.body?.content.some(({ mediaType }) => mediaType === "application/json") === true
  );
}
