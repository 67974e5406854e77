import "server-only";

/** A tool call that waits for another run. Thrown, so that the engine waits in its place: the step that made the call holds nothing meanwhile. */
export class RunPending extends Error {
  override readonly name = "RunPending";
  constructor(readonly runId: string) {
    super("The call waits for another run.");
  }
}
