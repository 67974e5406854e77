import { expect } from "@playwright/test";
import type { DocumentedOperation } from "./api-document";
import { askOperation, clientOf, idAt, placesOf } from "./ask-operation";
import type { Belongings } from "./belongings";

/** Artifacts are signed anew whenever they are shown. */
export function withoutSignatures(text: string): string {
  return text.replace(/\?expires=[^"]*/g, "");
}

/** Every answer that an owner can read about what they own, so that two of these tell whether anything changed. */
export async function readEverything(operations: DocumentedOperation[], owner: Belongings): Promise<string[]> {
  // The account itself names the time of the question, and limits that a test may set.
  const reads = operations.filter(({ id, method, key }) => method === "GET" && key !== "none" && !id.startsWith("getAccount"));
  const answers = await Promise.all(
    reads.map(async (operation) => {
      const ids = placesOf(operation).map((place) => idAt(owner, place));
      const { status, text } = await askOperation(clientOf(owner, operation), operation, ids);
      return `${operation.id} ${status} ${withoutSignatures(text)}`;
    }),
  );
  for (const answer of answers) expect(answer).toMatch(/^\w+ 200 /);
  return answers;
}
