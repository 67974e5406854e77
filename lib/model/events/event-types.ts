/** What happens in an account that others may be told of, and how people read it. */
export const EVENT_TYPES = {
  "run.requires_action": "A run waits for a person or for its caller",
  "run.completed": "A run completed",
  "run.failed": "A run failed",
  "run.cancelled": "A run was cancelled",
  "approval.requested": "A tool call waits for approval",
  "approval.resolved": "An approval was decided, or has expired",
  "connection.needs_sign_in": "A connection needs a new sign-in",
  "schedule.failed": "A schedule's firing could not start, or its run failed",
  "agent.version_created": "An agent has a new version",
  "account.credits_low": "The account's credits run low",
} as const;

export type EventType = keyof typeof EVENT_TYPES;

// Object.keys forgets the literal keys.
export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as [EventType, ...EventType[]];

/** Every type, now and later. */
export const EVERY_EVENT = "*";

/** What an endpoint's test sends: no event of the account, and to no other endpoint. */
export const TEST_EVENT = "endpoint.test";

/** What an event is about, thin: ids and a state, never an input or a result. */
export type EventData = Record<string, string | number | boolean | object | null>;

export const ENDPOINTS_MAX = 20;
export const ENDPOINT_DESCRIPTION_MAX_CHARACTERS = 500;
/** An endpoint to which nothing was delivered for so long is switched off. */
export const ENDPOINT_FAILING_DAYS = 5;
