import fc from "fast-check";
import type { DocumentedOperation } from "../api-document";
import { brokenRequests } from "./broken-requests";
import type { Credential, PlannedRequest } from "./planned-request";
import type { RequestSender } from "./request-sender";
import type { Surroundings } from "./schema-values";
import { validRequests } from "./valid-requests";

const OTHER_CREDENTIALS: Credential[] = ["none", "unknown", "stranger", "poor", "other-surface"];
/** So many smaller requests are tried after one that failed. */
const SHRINKS_MAX = 60;
const OVER_1_MIB = " ".repeat(1_048_577);

/**
 * Sends `runs` requests of one operation, valid ones and broken ones. Returns null when every
 * answer is right, else what was wrong, for the least request that shows it.
 */
export async function checkOperation(
  around: Surroundings,
  operation: DocumentedOperation,
  sender: RequestSender,
  options: { seed: number; runs: number },
): Promise<string | null> {
  const valid = validRequests(around, operation);
  const requests = fc.oneof(
    { weight: 2, arbitrary: valid },
    { weight: 3, arbitrary: brokenRequests(around, valid) },
  );
  let shrinks = 0;
  let failed = false;
  const property = fc.asyncProperty(requests, async (request) => {
    if (failed && ++shrinks > SHRINKS_MAX) return;
    try {
      await sender.send(request);
    } catch (error) {
      failed = true;
      throw error;
    }
  });
  const details = await fc.check(property, {
    seed: options.seed + numberOf(operation.id),
    numRuns: options.runs,
    examples: always(around, valid, operation, options.seed).map((request): [PlannedRequest] => [
      request,
    ]),
  });
  if (!details.failed) return null;
  const path = details.counterexamplePath ?? "";
  return (
    `${operation.id} (seed ${details.seed}, path ${path}, ${details.numShrinks} times made ` +
    `smaller):\n${String(details.errorInstance)}`
  );
}

/** So that operations do not all get the same turns of luck. */
function numberOf(id: string): number {
  return [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 0);
}

/** Headers that bring a documented answer about. */
const BRINGING: Record<number, [string, string]> = {
  304: ["if-none-match", "*"],
  412: ["if-match", '"nobody\'s"'],
  416: ["range", "bytes=99999999-"],
};

/** What every run sends, so that no documented refusal is left to chance. */
function always(
  { pool }: Surroundings,
  valid: fc.Arbitrary<PlannedRequest>,
  operation: DocumentedOperation,
  seed: number,
): PlannedRequest[] {
  const [base] = fc.sample(valid, { seed, numRuns: 1 });
  if (!base) return [];
  const others = OTHER_CREDENTIALS.map((credential) => ({
    ...base,
    credential,
    fault: `the key: ${credential}`,
  }));
  const isJson = operation.body?.content.some(({ mediaType }) => mediaType === "application/json");
  const json = { ...base, headers: [["content-type", "application/json"]] as const, query: "" };
  const bodies = isJson
    ? [
        { ...json, body: OVER_1_MIB, fault: "a body over 1 MiB", mustRefuse: true },
        { ...json, body: "{", fault: "half a body", mustRefuse: true },
      ]
    : [];
  const headers = Object.entries(BRINGING)
    .filter(([status]) => operation.responses.has(Number(status)))
    .map(([, header]) => ({
      ...base,
      headers: [...base.headers, header],
      fault: header.join(": "),
    }));
  const template = pool.templateOf(operation.path);
  const ids =
    template === null || template.endsWith("{end_user}") // any text is a person's name
      ? []
      : [template.replace(/\{\w+\}/g, "no-id"), pool.token("unknown", template, 0, "path")];
  const paths = ids.map((path) => ({
    ...base,
    path: path + operation.path.slice(template?.length),
    fault: path,
    mustRefuse: true,
  }));
  const hasLimit = operation.parameters.some(
    ({ name, in: where }) => name === "limit" && where === "query",
  );
  const queries = hasLimit
    ? [{ ...base, query: "limit=0", fault: "a page of 0 rows", mustRefuse: true }]
    : [];
  return [...others, ...bodies, ...headers, ...paths, ...queries];
}
