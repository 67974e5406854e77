import type { Metadata } from "next";
import type { ReactNode } from "react";
import { Alert } from "@/components/ui/alert";
import { CopyButton } from "@/components/ui/copy-button";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import {
  type ApiDocument,
  type ApiSchema,
  type ExampleCall,
  exampleCall,
  type ReferenceOperation,
} from "@/lib/console/reference/api-document";
import { codeSamples, type SampleLanguage } from "@/lib/console/reference/code-samples";
import { errorSamples } from "@/lib/console/reference/guide-samples";
import { ERROR_ADVICE } from "@/lib/console/reference/schema-fields";
import { ERROR_CODES, ERROR_STATUS } from "@/lib/model/errors";
import { baseUrls } from "../../_shared/base-url";
import { CodeSamples } from "../../_shared/code-samples";
import { VerificationSnippets } from "../../webhooks/verification-snippets";
import { Prose, Section, Words } from "../_parts/operation-parts";
import { readOperations } from "../_parts/read-operations";
import { GUIDE_SECTIONS } from "../guide-sections";

export const metadata: Metadata = { title: "Guide, API reference" };

export default async function GuidePage() {
  const { document, operations } = readOperations();
  const { api } = await baseUrls();
  const calls = guideCalls(document, operations, api);
  return (
    <>
      <PageHeader
        back={{ href: "/reference", label: "API reference" }}
        title="Guide"
        description="What holds for every operation."
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_11rem]">
        <nav aria-label="Sections" className="lg:order-last">
          <ul className="flex flex-wrap gap-x-4 gap-y-1.5 text-sm lg:sticky lg:top-9 lg:grid">
            {GUIDE_SECTIONS.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`} className="rounded-sm text-muted hover:text-foreground">
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-10">
          <GuidePart
            {...part("authentication")}
            code={{ what: "Who is calling", samples: calls.authentication }}
          >
            <ClientNote />
          </GuidePart>
          <GuidePart
            {...part("errors")}
            code={{ what: "Reading an error", samples: errorSamples(api) }}
          >
            <ErrorCodes meanings={errorMeanings(document)} />
          </GuidePart>
          <GuidePart {...part("limits")} />
          <GuidePart
            {...part("idempotency")}
            code={{ what: "A start that is safe to repeat", samples: calls.idempotency }}
          />
          <GuidePart
            {...part("pagination")}
            code={{ what: "Reading a list", samples: calls.pagination }}
          />
          <GuidePart
            {...part("streaming")}
            code={{ what: "Run and read along", samples: calls.streaming }}
          />
          <GuidePart {...part("webhooks")}>
            <VerificationSnippets />
            <Link
              href="/webhooks?tab=signing"
              className="justify-self-start text-accent text-sm underline underline-offset-4"
            >
              Show the signing secret
            </Link>
          </GuidePart>
          <GuidePart {...part("models")}>
            <ModelIds schema={document.components.schemas.ModelId} />
          </GuidePart>
        </div>
      </div>
    </>
  );
}

function part(id: (typeof GUIDE_SECTIONS)[number]["id"]) {
  return {
    id,
    title: GUIDE_SECTIONS.find((section) => section.id === id)?.title ?? id,
    text: GUIDE_TEXTS[id],
  };
}

/** When each code is answered, as the document says it. */
function errorMeanings(document: ApiDocument): Map<string, string> {
  const meanings = new Map<string, string>();
  for (const { allOf = [], description = "" } of Object.values(document.components.schemas)) {
    const code = allOf
      .map((part) => part.properties?.error?.const)
      .find((value) => typeof value === "string");
    if (typeof code === "string") meanings.set(code, description);
  }
  return meanings;
}

/** Where the TypeScript client of the examples comes from. */
function ClientNote() {
  return (
    <Alert tone="info" title="The TypeScript client">
      The TypeScript code uses the typed client that comes with this service: copy the folder{" "}
      <code className="font-mono text-xs">lib/client</code> of its repository beside your code as{" "}
      <code className="font-mono text-xs">client</code>, and install{" "}
      <code className="font-mono text-xs">openapi-fetch</code>. The Python code needs Python 3.8 and
      nothing else.
    </Alert>
  );
}

/** The code of the guide's sections, made of the document's own examples. */
function guideCalls(
  document: ApiDocument,
  operations: readonly ReferenceOperation[],
  baseUrl: string,
) {
  const codeOf = (operationId: string, more: Partial<ExampleCall> = {}) => {
    const operation = operations.find(({ id }) => id === operationId);
    if (!operation) throw new Error(`The document has no operation ${operationId}.`);
    return codeSamples({ ...exampleCall(document, operation, baseUrl), ...more });
  };
  const body = { kind: "json", value: { input: { request: "Add 17.5 and 4." } } } as const;
  return {
    authentication: codeOf("getAccount"),
    idempotency: codeOf("createRun", { body, headers: { "Idempotency-Key": "order-4711" } }),
    pagination: codeOf("listRuns"),
    streaming: codeOf("createRealtimeRun", { body }),
  };
}

/**
 * The ids that a request may name; prices and what is switched on stand on the page of the models.
 */
function ModelIds({ schema }: { schema: ApiSchema | undefined }) {
  const ids = (schema?.enum ?? []).map(String);
  return (
    <>
      <ul aria-label="Model ids" className="flex flex-wrap gap-x-4 gap-y-1">
        {ids.map((id) => (
          <li key={id} className="flex min-w-0 items-center font-mono text-muted text-xs">
            <span className="break-all">{id}</span>
            <CopyButton text={id} what={`model id ${id}`} className="size-6" />
          </li>
        ))}
      </ul>
      <Link
        href="/models"
        className="justify-self-start text-accent text-sm underline underline-offset-4"
      >
        Models and prices
      </Link>
    </>
  );
}

interface GuidePartProps {
  id: string;
  title: string;
  /** Paragraphs with `code`. */
  text: string;
  code?: { what: string; samples: Record<SampleLanguage, string> };
  children?: ReactNode;
}

/** A section of the guide: words, code, and what it has besides. */
function GuidePart({ id, title, text, code, children }: GuidePartProps) {
  return (
    <Section id={id} title={title}>
      <div className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-4">
        <Prose text={text} className="max-w-prose text-base" />
        {code && <CodeSamples {...code} />}
        {children}
      </div>
    </Section>
  );
}

/** What each section says before its code. */
const GUIDE_TEXTS: Record<(typeof GUIDE_SECTIONS)[number]["id"], string> = {
  authentication: `Every request carries a key: \`Authorization: Bearer <key>\`. An account key, \
\`svc_sk_…\`, opens all of \`/v1\` for its account. An app key, \`appapi_…\`, runs one agent by \
the app-scoped path and opens nothing else.

Keys are secrets of your servers: there is no CORS, and a browser or an app is no place for one. \
The code on these pages reads an account key from \`LATHE_API_KEY\` and an app key from \
\`LATHE_APP_KEY\`. A revoked key stops working within a second.`,
  errors: `A refusal is JSON: \`error\` is a code that stays what it is, \`message\` a sentence \
for people, which may change. \`INVALID_INPUT\` also has \`details\`, a list of \`{path, \
message}\`. A refused request leaves nothing behind. Quote \`X-Request-Id\` when you ask the \
operator.

What belongs to another account answers as what does not exist. Ignore fields that you do not \
know: answers may gain some.`,
  limits: `Every answer after authentication says what is left: \`RateLimit-Policy\` and \
\`RateLimit\`, and the same as \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \
\`X-RateLimit-Reset\`. There is a budget a minute for all requests of an account, and one an hour \
for writes to agents, workspaces, files, secrets and skills; \`GET /v1/account\` names both.

Beyond it the answer is 429 \`RATE_LIMITED\` with \`Retry-After\` in whole seconds. Wait that \
long, then back off exponentially with jitter. Repeat 429, 502, 503, 504 and broken connections of \
GET, PUT and DELETE, and of starts that carry an \`Idempotency-Key\`. Nothing else gets better by \
repeating. The TypeScript client does all of this by itself.`,
  idempotency: `A connection may break after a run was accepted and before you hear of it. Send an \
\`Idempotency-Key\`, up to 255 characters of your own such as the number of an order, and repeat \
the request as it was: you get the first answer again, with \`Idempotency-Replayed: true\`, and no \
second run. Keys are kept for 24 hours, for an account and a route.

The same key with another body, or while the first request is in flight: 409 \
\`IDEMPOTENCY_CONFLICT\`. It works wherever an operation lists the header: creating an agent, \
editing it, and starting runs. The TypeScript client sends a key with each start.`,
  pagination:
    "Lists give the newest first, `limit` rows a page (1–100, 20 by default). While `has_more` " +
    "is true, send `next_cursor` as `cursor` for the next page. A cursor is opaque, and rows " +
    "that are added meanwhile do not disturb it. The app-scoped path says `hasMore` and " +
    "`nextCursor`.",
  streaming: `\`POST /v1/realtime/runs\` starts a run and answers with its events, one JSON object \
a line (\`application/x-ndjson\`). Each has \`type\`, \`run_id\`, \`created_at\` and a \
\`sequence_number\` that grows by one; \`ping\`, sent after 10 s of silence, has none. The last \
line is \`run.completed\` or \`run.failed\`. An \`error\` in its place means that the stream \
ended, and the run may go on.

The run does not need the connection. After a break, go on with \`GET \
/v1/runs/{run_id}/events?starting_after=<last number>\`: first what you missed, then what comes. \
Events are kept for 24 hours after the end. With \`Accept: application/json\` the same route gives \
one page. The TypeScript client goes on by itself.`,
  webhooks:
    "A run that is started with a `webhook_url` posts its end there: `runId`, `status`, and " +
    "`result` or `error`. Answer with 2xx within 10 s. Anything else is tried again after 5 s, " +
    "30 s, 2 min and 10 min; `Retry-After` is honoured, 410 stops it, redirects are not " +
    "followed. A run that was cancelled reports `failed` with `RUN_CANCELLED`.",
  models:
    "The field `model` takes one of these. Without it the agent's own model is used, else " +
    "this deployment's default.",
};

/**
 * Every code that an answer may carry. Each has an anchor of its own, so that a message can link to
 * it.
 */
function ErrorCodes({ meanings }: { meanings: Map<string, string> }) {
  return (
    <ul
      aria-label="Error codes"
      className="divide-y divide-line rounded-lg border border-line bg-surface"
    >
      {ERROR_CODES.map((code) => (
        <li
          key={code}
          id={code}
          className="grid scroll-mt-20 gap-x-6 gap-y-1 px-4 py-3 text-sm target:bg-accent-soft md:grid-cols-[15rem_minmax(0,1fr)]"
        >
          <p>
            <a
              href={`#${code}`}
              className="break-all rounded-sm font-medium font-mono text-xs hover:underline"
            >
              {code}
            </a>
            <span className="ml-2 font-mono text-faint text-xs md:ml-0 md:block">
              {ERROR_STATUS[code]}
            </span>
          </p>
          <div className="min-w-0 [overflow-wrap:anywhere]">
            <p>
              <Words text={meanings.get(code) ?? ""} />
            </p>
            <p className="mt-0.5 text-muted">
              <Words text={ERROR_ADVICE[code]} />
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
