import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import {
  type ApiDocument,
  type ApiKeyKind,
  type ApiParameter,
  exampleCall,
  followReference,
  type ReferenceOperation,
} from "@/lib/console/reference/api-document";
import { codeSamples } from "@/lib/console/reference/code-samples";
import {
  listAnswers,
  type OperationError,
  type ReferenceAnswer,
  type SchemaField,
  toFields,
} from "@/lib/console/reference/schema-fields";
import { baseUrls } from "../../_shared/base-url";
import { CodeSamples } from "../../_shared/code-samples";
import { FieldList, MethodBadge, Prose, Section, Words } from "../_parts/operation-parts";
import { readOperations } from "../_parts/read-operations";

const WITHOUT_FIELDS: Record<string, string> = {
  "*/*": "The file's bytes.",
  "application/json": "An object that may hold anything.",
};

/** The successes: status, headers, and the body's fields by media type. */
function Answers({ document, answers }: { document: ApiDocument; answers: ReferenceAnswer[] }) {
  return (
    <Section id="answer" title="Answer">
      {answers.map((answer) => (
        <div key={answer.status} className="mt-3">
          <div className="flex items-baseline gap-2 text-sm">
            <span className="font-medium font-mono text-success text-xs">{answer.status}</span>
            <Prose text={answer.description} className="min-w-0 text-muted" />
          </div>
          {answer.headers.length > 0 && <Headers headers={answer.headers} />}
          <Contents document={document} contents={answer.contents} />
        </div>
      ))}
      <p className="mt-3 text-faint text-xs">
        Every answer also has <code className="font-mono">X-Request-Id</code>, and after
        authentication the headers of the{" "}
        <Link href="/reference/guide#limits" className="text-accent underline underline-offset-4">
          rate limits
        </Link>
        .
      </p>
    </Section>
  );
}

function Contents({
  document,
  contents,
}: {
  document: ApiDocument;
  contents: ReferenceAnswer["contents"];
}) {
  return contents.map(({ mediaType, schema }) => {
    const fields = toFields(document, schema);
    const isStream = mediaType === "application/x-ndjson";
    return (
      <div key={mediaType} className="mt-2">
        <h3 className="font-mono text-faint text-xs">{mediaType}</h3>
        {isStream && (
          <p className="mt-1 text-muted text-sm">
            One JSON object a line, of one of these types; skip types that you do not know.
          </p>
        )}
        {fields.length > 0 ? (
          <FieldList fields={fields} label={isStream ? "Event types" : `Fields of ${mediaType}`} />
        ) : (
          <p className="py-1 text-muted text-sm">
            {WITHOUT_FIELDS[mediaType] ?? "No fields of its own."}
          </p>
        )}
      </div>
    );
  });
}

function Headers({ headers }: { headers: ReferenceAnswer["headers"] }) {
  return (
    <ul aria-label="Headers of the answer" className="mt-1.5 grid gap-1 text-sm">
      {headers.map(({ name, description }) => (
        <li key={name} className="text-muted [overflow-wrap:anywhere]">
          <span className="font-mono text-foreground text-xs">{name}</span>{" "}
          <Words text={description} />
        </li>
      ))}
    </ul>
  );
}

interface OperationPageProps {
  params: Promise<{ operationId: string }>;
}

export async function generateMetadata({ params }: OperationPageProps): Promise<Metadata> {
  const { operationId } = await params;
  const operation = readOperations().operations.find(({ id }) => id === operationId);
  return { title: operation ? `${operation.summary}, API reference` : "Not found" };
}

export default async function OperationPage({ params }: OperationPageProps) {
  const { operationId } = await params;
  const { document, operations } = readOperations();
  const index = operations.findIndex(({ id }) => id === operationId);
  const operation = operations[index];
  if (!operation) notFound();
  const bases = await baseUrls();
  const call = exampleCall(document, operation, operation.key === "app" ? bases.app : bases.api);
  const { answers, errors } = listAnswers(document, operation);
  return (
    <>
      <PageHeader back={{ href: "/reference", label: "API reference" }} title={operation.summary} />
      <p className="-mt-4 mb-6 flex items-center gap-2 font-mono text-sm">
        <MethodBadge method={operation.method} className="text-xs" />
        <span className="min-w-0 [overflow-wrap:anywhere]">{operation.path}</span>
        <CopyButton text={operation.path} what="path" className="size-6" />
      </p>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,1fr)_minmax(0,29rem)]">
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-8">
          <div>
            <Prose text={operation.source.description ?? ""} className="max-w-prose text-base" />
            <KeyLine kind={operation.key} />
          </div>
          <Parameters document={document} operation={operation} />
          <RequestBody document={document} operation={operation} />
        </div>
        <div className="min-w-0 xl:row-span-2">
          <div className="grid grid-cols-[minmax(0,1fr)] gap-6 xl:sticky xl:top-9">
            <CodeSamples what={operation.summary} samples={codeSamples(call)} />
            <ExampleAnswer answers={answers} />
          </div>
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-8">
          <Answers document={document} answers={answers} />
          <ErrorTable errors={errors} />
          <Neighbours before={operations[index - 1]} after={operations[index + 1]} />
        </div>
      </div>
    </>
  );
}

/** What a success looks like: the document's example of the first one; of a stream, its lines. */
function ExampleAnswer({ answers }: { answers: ReferenceAnswer[] }) {
  const answer = answers.find(({ contents }) =>
    contents.some(({ examples }) => examples.length > 0),
  );
  const content = answer?.contents.find(({ examples }) => examples.length > 0);
  if (!answer || !content) return null;
  const isStream = content.mediaType === "application/x-ndjson";
  const shown = isStream ? content.examples : content.examples.slice(0, 1);
  const code = shown
    .map((example) =>
      typeof example === "string" ? example : JSON.stringify(example, null, isStream ? 0 : 2),
    )
    .join("\n");
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2">
      <p className="text-sm">
        <span className="font-medium">Answer</span>{" "}
        <span className="font-mono text-success text-xs">{answer.status}</span>
      </p>
      <CodeBlock code={code} label="example answer" />
    </div>
  );
}

/** The operations before and after this one. */
function Neighbours({
  before,
  after,
}: {
  before: ReferenceOperation | undefined;
  after: ReferenceOperation | undefined;
}) {
  return (
    <nav
      aria-label="Other operations"
      className="grid grid-cols-2 gap-3 border-line border-t pt-4 text-sm"
    >
      <span>{before && <Neighbour word="Before" operation={before} />}</span>
      <span className="text-right">{after && <Neighbour word="Next" operation={after} />}</span>
    </nav>
  );
}

function Neighbour({ word, operation }: { word: string; operation: ReferenceOperation }) {
  return (
    <Link
      href={`/reference/${operation.id}`}
      prefetch={false}
      className="inline-block rounded-sm hover:underline hover:underline-offset-4"
    >
      <span className="block text-faint text-xs">{word}</span>
      {operation.summary}
    </Link>
  );
}

const WORDS: Record<ApiKeyKind, string> = {
  account: "Needs an account key, svc_sk_…",
  app: "Needs an app key, appapi_…, of this very agent.",
  none: "Needs no key.",
};

/** Whose key the operation takes, and where to read about it. */
function KeyLine({ kind }: { kind: ApiKeyKind }) {
  return (
    <p className="mt-3 text-faint text-sm">
      {WORDS[kind]}{" "}
      {kind !== "none" && (
        <Link
          href="/reference/guide#authentication"
          className="text-accent underline underline-offset-4"
        >
          Authentication
        </Link>
      )}
    </p>
  );
}

/** What is sent, by media type. */
function RequestBody({
  document,
  operation,
}: {
  document: ApiDocument;
  operation: ReferenceOperation;
}) {
  const body = followReference(document, operation.source.requestBody ?? {});
  const contents = Object.entries(body.content ?? {});
  if (contents.length === 0) return null;
  return (
    <Section id="request-body" title="Request body">
      {body.description && <Prose text={body.description} className="mt-2 text-muted text-sm" />}
      {contents.map(([mediaType, { schema = {} }]) => {
        const fields = toFields(document, schema);
        return (
          <div key={mediaType} className="mt-2">
            <h3 className="font-mono text-faint text-xs">{mediaType}</h3>
            {fields.length > 0 ? (
              <FieldList fields={fields} label={`Fields of ${mediaType}`} />
            ) : (
              <p className="py-2 text-muted text-sm">The bytes themselves.</p>
            )}
          </div>
        );
      })}
    </Section>
  );
}

/** The codes that the operation may answer with; each leads to what to do about it. */
function ErrorTable({ errors }: { errors: OperationError[] }) {
  return (
    <Section id="errors" title="Errors">
      <ul className="divide-y divide-line">
        {errors.map(({ status, code, description }) => (
          <li key={code} className="grid grid-cols-[2rem_minmax(0,1fr)] gap-x-2 py-2 text-sm">
            <span className="font-mono text-faint text-xs leading-5">{status}</span>
            <div className="min-w-0">
              <Link
                href={`/reference/guide#${code}`}
                prefetch={false}
                className="break-all font-mono text-accent text-xs underline underline-offset-4"
              >
                {code}
              </Link>
              <p className="text-muted [overflow-wrap:anywhere]">
                <Words text={description} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const PLACES: { in: ApiParameter["in"]; title: string }[] = [
  { in: "path", title: "Path parameters" },
  { in: "query", title: "Query parameters" },
  { in: "header", title: "Headers" },
];

/** What is said beside the body: in the path, in the query, in headers. */
function Parameters({
  document,
  operation,
}: {
  document: ApiDocument;
  operation: ReferenceOperation;
}) {
  const parameters = (operation.source.parameters ?? []).map((parameter) =>
    followReference(document, parameter),
  );
  return PLACES.map((place) => {
    const fields = parameters
      .filter((each) => each.in === place.in)
      .map((each) => fieldOf(document, each));
    if (fields.length === 0) return null;
    return (
      <Section key={place.in} id={`${place.in}-parameters`} title={place.title}>
        <FieldList fields={fields} label={place.title} />
      </Section>
    );
  });
}

/** A parameter is a field like any other; its words stand beside its schema. */
function fieldOf(
  document: ApiDocument,
  { name, required = false, description, schema = {} }: ApiParameter,
): SchemaField {
  const [field] = toFields(document, {
    type: "object",
    properties: { [name]: { ...followReference(document, schema), description } },
  });
  if (!field) throw new Error(`The parameter ${name} has no schema.`);
  return { ...field, required };
}
