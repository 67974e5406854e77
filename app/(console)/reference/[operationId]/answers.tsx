import Link from "next/link";
import type { ApiDocument } from "@/lib/console/reference/api-document";
import type { ReferenceAnswer } from "@/lib/console/reference/list-answers";
import { toFields } from "@/lib/console/reference/to-fields";
import { FieldList } from "../_parts/field-list";
import { Prose, Words } from "../_parts/prose";
import { Section } from "../_parts/section";

const WITHOUT_FIELDS: Record<string, string> = { "*/*": "The file's bytes.", "application/json": "An object that may hold anything." };

/** The successes: status, headers, and the body's fields by media type. */
export function Answers({ document, answers }: { document: ApiDocument; answers: ReferenceAnswer[] }) {
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
        Every answer also has <code className="font-mono">X-Request-Id</code>, and after authentication the headers of the{" "}
        <Link href="/reference/guide#limits" className="text-accent underline underline-offset-4">
          rate limits
        </Link>
        .
      </p>
    </Section>
  );
}

function Contents({ document, contents }: { document: ApiDocument; contents: ReferenceAnswer["contents"] }) {
  return contents.map(({ mediaType, schema }) => {
    const fields = toFields(document, schema);
    const isStream = mediaType === "application/x-ndjson";
    return (
      <div key={mediaType} className="mt-2">
        <h3 className="font-mono text-faint text-xs">{mediaType}</h3>
        {isStream && (
          <p className="mt-1 text-muted text-sm">One JSON object a line, of one of these types; skip types that you do not know.</p>
        )}
        {fields.length > 0 ? (
          <FieldList fields={fields} label={isStream ? "Event types" : `Fields of ${mediaType}`} />
        ) : (
          <p className="py-1 text-muted text-sm">{WITHOUT_FIELDS[mediaType] ?? "No fields of its own."}</p>
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
          <span className="font-mono text-foreground text-xs">{name}</span> <Words text={description} />
        </li>
      ))}
    </ul>
  );
}
