/** What every error of this client is, so that one `instanceof` tells them from all others. */
export class LatheError extends Error {
  override readonly name: string = "LatheError";
}
