import "server-only";
import { ERROR_DESCRIPTIONS } from "@/lib/api/openapi/error-descriptions";
import { EXAMPLE_IDS } from "@/lib/api/v1/schemas/example-ids";
import { ERROR_CODES, type ErrorCode, type ErrorExtras } from "@/lib/model/errors";

interface ErrorBody extends ErrorExtras {
  error: ErrorCode;
  message: string;
}

/** Where the body says more than its code. */
const OWN: Partial<Record<ErrorCode, Omit<ErrorBody, "error">>> = {
  INVALID_INPUT: { message: "input.topic: is required", details: [{ path: "input.topic", message: "is required" }] },
  AUTHENTICATION_REQUIRED: { message: "This request has no Authorization header. Send an account key: Authorization: Bearer svc_sk_…" },
  CONVERSATION_BUSY: {
    message: `The run ${EXAMPLE_IDS.run_id} of this conversation has not ended. Wait for it or cancel it.`,
    run_id: EXAMPLE_IDS.run_id,
  },
  INSUFFICIENT_CREDITS: { message: "This needs 3.2 credits, and 1.5 are available.", available: 1.5, required: 3.2 },
  RATE_LIMITED: {
    message: "This account may write 30 times an hour. Nothing was changed; try again in 1240 seconds.",
    retryAfterSeconds: 1240,
  },
};

/** A body of each code. */
export const ERROR_EXAMPLES: Record<ErrorCode, ErrorBody> = Object.fromEntries(
  ERROR_CODES.map((error) => [error, { error, message: ERROR_DESCRIPTIONS[error], ...OWN[error] }]),
) as Record<ErrorCode, ErrorBody>; // fromEntries forgets the keys
