import { LatheError } from "./lathe-error";

/** The time given for waiting is up. The run goes on; `runId` is what to wait for again. */
export class LatheTimeoutError extends LatheError {
  override readonly name: string = "LatheTimeoutError";

  constructor(
    message: string,
    readonly runId: string,
  ) {
    super(message);
  }
}
