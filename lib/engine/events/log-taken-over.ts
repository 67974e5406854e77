import "server-only";

/** The log has another writer by now, or its last line: nothing that this writer still held was stored, and nothing of it will be. */
export class LogTakenOver extends Error {
  override readonly name = "LogTakenOver";
  constructor(readonly runId: string) {
    super("the run's log was taken over or closed");
  }
}
