import type { DocumentedOperation } from "./api-document";
import type { ApiResponse } from "./api-response";
import { expectError } from "./expect-error";

/** Keeps which documented error of which operation was really seen, so that a test can name those that never were. */
export class ProvokedErrors {
  private readonly seen = new Set<string>();

  /** Holds an answer to the error contract and to its operation's documented codes, and remembers it. */
  note(operation: DocumentedOperation, answer: ApiResponse, status: number, code: string, path?: string): void {
    expectError(answer, status, code, path);
    if (!operation.codes.includes(code)) throw new Error(`${operation.id} does not document ${code}.`);
    this.seen.add(`${operation.id} ${code}`);
  }

  /** `operation CODE` of every documented error that has not been seen. */
  missingOf(operations: DocumentedOperation[]): string[] {
    return operations.flatMap(({ id, codes }) => codes.map((code) => `${id} ${code}`)).filter((each) => !this.seen.has(each));
  }
}
