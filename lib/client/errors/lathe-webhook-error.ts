import { LatheError } from "./lathe-error";

export type WebhookFault = "missing_header" | "bad_timestamp" | "too_old" | "too_new" | "bad_signature" | "bad_payload";

/** A call that did not prove to be the service's. Answer it with a 4xx and do nothing with it. */
export class LatheWebhookError extends LatheError {
  override readonly name: string = "LatheWebhookError";

  constructor(
    readonly fault: WebhookFault,
    message: string,
  ) {
    super(message);
  }
}
