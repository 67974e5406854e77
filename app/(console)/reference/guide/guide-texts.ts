import type { GUIDE_SECTIONS } from "../guide-sections";

/** What each section says before its code. */
export const GUIDE_TEXTS: Record<(typeof GUIDE_SECTIONS)[number]["id"], string> = {
  authentication: `Every request carries a key: \`Authorization: Bearer <key>\`. An account key, \`svc_sk_…\`, opens all of \`/v1\` for its account. An app key, \`appapi_…\`, runs one agent by the app-scoped path and opens nothing else.

Keys are secrets of your servers: there is no CORS, and a browser or an app is no place for one. The code on these pages reads an account key from \`LATHE_API_KEY\` and an app key from \`LATHE_APP_KEY\`. A revoked key stops working within a second.`,
  errors: `A refusal is JSON: \`error\` is a code that stays what it is, \`message\` a sentence for people, which may change. \`INVALID_INPUT\` also has \`details\`, a list of \`{path, message}\`. A refused request leaves nothing behind. Quote \`X-Request-Id\` when you ask the operator.

What belongs to another account answers as what does not exist. Ignore fields that you do not know: answers may gain some.`,
  limits: `Every answer after authentication says what is left: \`RateLimit-Policy\` and \`RateLimit\`, and the same as \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`. There is a budget a minute for all requests of an account, and one an hour for writes to agents, workspaces, files, secrets and skills; \`GET /v1/account\` names both.

Beyond it the answer is 429 \`RATE_LIMITED\` with \`Retry-After\` in whole seconds. Wait that long, then back off exponentially with jitter. Repeat 429, 502, 503, 504 and broken connections of GET, PUT and DELETE, and of starts that carry an \`Idempotency-Key\`. Nothing else gets better by repeating. The TypeScript client does all of this by itself.`,
  idempotency: `A connection may break after a run was accepted and before you hear of it. Send an \`Idempotency-Key\`, up to 255 characters of your own such as the number of an order, and repeat the request as it was: you get the first answer again, with \`Idempotency-Replayed: true\`, and no second run. Keys are kept for 24 hours, for an account and a route.

The same key with another body, or while the first request is in flight: 409 \`IDEMPOTENCY_CONFLICT\`. It works wherever an operation lists the header: creating an agent, editing it, and starting runs. The TypeScript client sends a key with each start.`,
  pagination: `Lists give the newest first, \`limit\` rows a page (1–100, 20 by default). While \`has_more\` is true, send \`next_cursor\` as \`cursor\` for the next page. A cursor is opaque, and rows that are added meanwhile do not disturb it. The app-scoped path says \`hasMore\` and \`nextCursor\`.`,
  streaming: `\`POST /v1/realtime/runs\` starts a run and answers with its events, one JSON object a line (\`application/x-ndjson\`). Each has \`type\`, \`run_id\`, \`created_at\` and a \`sequence_number\` that grows by one; \`ping\`, sent after 10 s of silence, has none. The last line is \`run.completed\` or \`run.failed\`. An \`error\` in its place means that the stream ended, and the run may go on.

The run does not need the connection. After a break, go on with \`GET /v1/runs/{run_id}/events?starting_after=<last number>\`: first what you missed, then what comes. Events are kept for 24 hours after the end. With \`Accept: application/json\` the same route gives one page. The TypeScript client goes on by itself.`,
  webhooks: `A run that is started with a \`webhook_url\` posts its end there: \`runId\`, \`status\`, and \`result\` or \`error\`. Answer with 2xx within 10 s. Anything else is tried again after 5 s, 30 s, 2 min and 10 min; \`Retry-After\` is honoured, 410 stops it, redirects are not followed. A run that was cancelled reports \`failed\` with \`RUN_CANCELLED\`.`,
  models: "The field `model` takes one of these. Without it the agent's own model is used, else this deployment's default.",
};
