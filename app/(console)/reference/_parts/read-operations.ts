import "server-only";
import { apiDocument } from "@/lib/api/console/api-document";
import {
  type ApiDocument,
  listOperations,
  type ReferenceOperation,
} from "@/lib/console/reference/api-document";

let operations: ReferenceOperation[] | undefined;

/**
 * The operations of this deployment's document, in the order of the reference. Made once a process.
 */
export function readOperations(): { document: ApiDocument; operations: ReferenceOperation[] } {
  const document = apiDocument<ApiDocument>();
  operations ??= listOperations(document);
  return { document, operations };
}
