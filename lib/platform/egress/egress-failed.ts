import "server-only";

export type EgressFailure = "timeout" | "unreachable" | "too_large" | "invalid_request" | "broken";

const MESSAGES: Record<EgressFailure, string> = {
  timeout: "The target did not answer in time.",
  unreachable: "The target could not be reached.",
  too_large: "The answer is larger than allowed.",
  invalid_request: "The request could not be sent as given.",
  broken: "The answer broke off or could not be read.",
};

/** An outgoing call to a permitted target failed. `message` is safe to show; `cause` is for the log only. */
export class EgressFailed extends Error {
  override readonly name = "EgressFailed";

  constructor(
    readonly reason: EgressFailure,
    options?: { cause?: unknown },
  ) {
    super(MESSAGES[reason], options);
  }
}
