import { LatheError } from "./lathe-error";

/** No whole answer came: the connection failed or broke, the time was up, or what came was no answer of this API. `cause` says more. */
export class LatheConnectionError extends LatheError {
  override readonly name: string = "LatheConnectionError";
}
