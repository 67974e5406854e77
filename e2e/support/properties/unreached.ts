import type { DocumentedOperation } from "./api-document";
import type { StatusTally } from "./status-tally";

/** Answers that only one operation in many gives: demanded of all of them together. */
const SOMEWHERE = [304, 402, 403, 405, 409, 412, 416, 429];

/** The documented answers that a run never saw, although its requests were made to bring them about; empty when it reached them all. */
export function unreached(operations: readonly DocumentedOperation[], tally: StatusTally): string[] {
  const missed = operations.flatMap((operation) => {
    const wanted = [400, 401, 404, 413].filter((status) => isOwed(operation, status));
    const faults = wanted
      .filter((status) => tally.of(operation.id, status) === 0)
      .map((status) => `${operation.id} never answered ${status}`);
    return tally.succeeded(operation.id) === 0 ? [`${operation.id} never succeeded`, ...faults] : faults;
  });
  const nowhere = SOMEWHERE.filter((status) => tally.ofStatus(status) === 0).map((status) => `no operation answered ${status}`);
  return [...missed, ...nowhere];
}

/** Whether the requests are sure to bring this answer about: a body over the limit is only sent as JSON. */
function isOwed(operation: DocumentedOperation, status: number): boolean {
  if (!operation.responses.has(status)) return false;
  return status !== 413 || operation.body?.content.some(({ mediaType }) => mediaType === "application/json") === true;
}
