import "server-only";

/** What holds for every operation, as Markdown. */
export const DOCUMENT_DESCRIPTION = `Create, edit and run hosted agents from your backend.

**Keys** are server-side secrets and travel as \`Authorization: Bearer <key>\`: account keys (\`svc_sk_…\`) on \`/v1\`, app keys (\`appapi_…\`) on the app-scoped path only.

**Bodies** are JSON in UTF-8 (at most 1 MiB and 64 levels), \`snake_case\` on \`/v1\`, \`camelCase\` on the app-scoped path and in webhooks. Unknown properties of a request are refused, unknown query keys ignored. Answers and events may gain fields: ignore those that you do not know.

**Ids** are UUIDs in lower case, **times** RFC 3339 in UTC with milliseconds. What belongs to another account answers as what does not exist.

**Errors** are \`{error, message}\` with a stable code in \`error\` and, in each answer, \`X-Request-Id\`. A path that does not exist answers 404 \`NOT_FOUND\`, a method that a path does not have 405 \`METHOD_NOT_ALLOWED\` with \`Allow\`; these two belong to no operation and stand under \`x-unrouted-responses\`. \`HEAD\` works wherever \`GET\` does.

**Lists** give the newest first, \`limit\` rows a page; \`next_cursor\` leads on, and rows that are added meanwhile do not disturb it.

**Limits**: every answer after authentication carries \`RateLimit\` and \`X-RateLimit-…\`. On 429 wait for \`Retry-After\`, then back off with jitter.

**Retries**: send an \`Idempotency-Key\` with whatever starts a run, and repeat the request as it was.

**Streams** (\`application/x-ndjson\`) are JSON objects, one a line; the schema is that of one line, \`RunEvent\`. After a disconnect go on with \`GET /v1/runs/{run_id}/events?starting_after=<last number>\`.`;
