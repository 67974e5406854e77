import "server-only";

/** A tool cannot do what it was asked; the message goes to the model and so holds no internals. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
}
