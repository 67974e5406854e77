import "server-only";

/** The log has another writer by now, or its last line: nothing that this writer still held was stored, and nothing of it will be. */
export class LogTakenOver extends Error {
  override readonly name = "LogTakenOver";
  constructor(readonly runId: string) {
    super("the run's log was taken over or closed");
  }
}

/** The engine's run was cancelled, or has another driver: what was to be stored with its step's result was not. The log may still be this process's to end. */
export class DriverReplaced extends Error {
  override readonly name = "DriverReplaced";
  constructor(readonly runId: string) {
    super("the engine's run was cancelled, or has another driver");
  }
}
