import "server-only";
import { Middleware } from "inngest";
import { redactOperator } from "@/lib/platform/redact-operator";

/**
 * Has an Inngest server learn of an error its name and its message alone, without the operator's keys and addresses; the log of this process, which the SDK writes
 * before this, keeps all of it. The error itself is changed: the SDK knows one that a step threw by its identity, and would try another again.
 */
export class BareErrors extends Middleware.BaseMiddleware {
  override readonly id = "bare-errors";

  override onStepError({ error }: { readonly error: object }): void {
    strip(error);
  }

  override onRunError({ error }: { readonly error: object }): void {
    strip(error);
  }
}

function strip(error: object): void {
  const message = "message" in error && typeof error.message === "string" ? redactOperator(error.message) : "";
  // What the SDK sends of an error, beside its name.
  for (const [key, value] of Object.entries({ message, stack: "", cause: undefined, code: undefined }))
    Reflect.defineProperty(error, key, { value, configurable: true, writable: true, enumerable: false });
}
