import type { Agent } from "node:http";
import { answerFaults } from "./answer-faults";
import type { ApiDocument } from "./api-document";
import type { DocumentSchemas } from "./document-schemas";
import { type Answer, exchange } from "./exchange";
import { type FilledRequest, fillRequest } from "./fill-request";
import { keepObjects } from "./keep-objects";
import { matchOperation } from "./match-operation";
import type { ObjectPool } from "./object-pool";
import { outsideDocument } from "./outside-document";
import type { Credential, PlannedRequest } from "./planned-request";
import type { StatusTally } from "./status-tally";
import { toCurl } from "./to-curl";

export interface SenderParts {
  baseUrl: string;
  agent: Agent;
  document: ApiDocument;
  schemas: DocumentSchemas;
  pool: ObjectPool;
  tally: StatusTally;
  /** Keys of the developer API; `own` of the app-scoped path is `appKey`. */
  keys: Record<Exclude<Credential, "other-door">, string | null>;
  appKey: string;
}

/** Sends planned requests and judges the answers. */
export class RequestSender {
  constructor(private readonly parts: SenderParts) {}

  /** Throws an error with all that is wrong with the answer, and the request as a command. */
  async send(planned: PlannedRequest): Promise<Answer> {
    const request = fillRequest(planned, this.parts.pool, this.keysFor(planned));
    const answer = await this.exchanged(request);
    const faults = this.faultsOf(planned, request, answer);
    this.parts.tally.count(planned.operation.id, answer.status, planned.fault === null);
    if (faults.length > 0)
      throw new Error(
        `${faults.join("\n")}\n${answer.status} ${answer.body.toString("utf8").slice(0, 600)}\n${this.describe(planned, request)}`,
      );
    if (planned.credential === "own" && planned.method === planned.operation.method && !answer.cut)
      keepObjects(this.parts.pool, planned.operation, request.target, answer);
    return answer;
  }

  private async exchanged(request: FilledRequest): Promise<Answer> {
    try {
      return await exchange(this.parts.baseUrl, this.parts.agent, request);
    } catch (error) {
      throw new Error(`No whole answer: ${String(error)}\n${toCurl(this.parts.baseUrl, request)}`);
    }
  }

  private faultsOf(planned: PlannedRequest, request: FilledRequest, answer: Answer): string[] {
    const { document, schemas } = this.parts;
    const namesHost = request.headers.some(([name]) => name.toLowerCase() === "host");
    const faults = answerFaults(document.operations, schemas, request.method, request.target, answer, namesHost);
    const { operation } = matchOperation(document.operations, request.method, request.target);
    const reason = planned.mustRefuse ? planned.fault : operation && outsideDocument(schemas, operation, request);
    return reason && answer.status < 400 ? [...faults, `the status ${answer.status} where the request must be refused: ${reason}`] : faults;
  }

  private describe(planned: PlannedRequest, request: FilledRequest): string {
    return `${planned.operation.id}, ${planned.fault ?? "a valid request"} (key: ${planned.credential})\n${toCurl(this.parts.baseUrl, request)}`;
  }

  private keysFor({ operation }: PlannedRequest): Record<Credential, string | null> {
    const { keys, appKey } = this.parts;
    return operation.auth === "app" ? { ...keys, own: appKey, "other-door": keys.own } : { ...keys, "other-door": appKey };
  }
}
