import { LatheError } from "./lathe-error";

/**
 * A run's events could not be read to their end. The run itself may go on: go on from `lastSequenceNumber` with `runs.events`, or wait for its
 * end with `runs.wait`. `cause` is what went wrong last.
 */
export class LatheStreamError extends LatheError {
  override readonly name: string = "LatheStreamError";

  constructor(
    message: string,
    readonly runId: string,
    readonly lastSequenceNumber: number,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}
