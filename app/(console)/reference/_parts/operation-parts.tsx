import { ChevronRight } from "lucide-react";
import { Fragment, type ReactNode } from "react";
import { mergeClasses } from "@/components/merge-classes";
import type { ApiMethod } from "@/lib/console/reference/api-document";
import type { SchemaField } from "@/lib/console/reference/schema-fields";

/** A part of a page of the reference, with a heading that can be linked to. */
export function Section({
  id,
  title,
  children,
}: {
  id: string;
  title: string;
  children: ReactNode;
}) {
  return (
    <section aria-labelledby={id} className="min-w-0">
      <h2 id={id} className="scroll-mt-20 border-line border-b pb-1.5 font-semibold text-lg">
        <a
          href={`#${id}`}
          className="rounded-sm hover:underline hover:decoration-line-strong hover:underline-offset-4"
        >
          {title}
        </a>
      </h2>
      {children}
    </section>
  );
}

/**
 * The document's own texts: paragraphs with `code` and **strong** words. Ours, and so not read as a
 * stranger's Markdown is.
 */
export function Prose({ text, className }: { text: string; className?: string }) {
  return (
    <div className={className}>
      {text.split("\n\n").map((paragraph) => (
        <p key={paragraph} className="[overflow-wrap:anywhere] [&+p]:mt-2">
          <Words text={paragraph} />
        </p>
      ))}
    </div>
  );
}

/** One line of them. */
export function Words({ text }: { text: string }) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((piece, index) => {
    const key = `${index} ${piece}`;
    if (piece.startsWith("`"))
      return (
        <code
          key={key}
          className="rounded-sm border border-line bg-sunken px-1 font-mono text-[0.92em] text-foreground"
        >
          {piece.slice(1, -1)}
        </code>
      );
    if (piece.startsWith("**"))
      return (
        <strong key={key} className="font-medium text-foreground">
          {piece.slice(2, -2)}
        </strong>
      );
    return <Fragment key={key}>{piece}</Fragment>;
  });
}

const SHOWN_VALUES = 8;

/**
 * Fields, a line each; what is inside of one opens below it. A page has hundreds: their looks are
 * told once, in the style sheet.
 */
export function FieldList({ fields, label }: { fields: SchemaField[]; label: string }) {
  return (
    <ul aria-label={label} className="field-list">
      {fields.map((field) => (
        <li key={field.name}>
          <p>
            <b>{field.name}</b>
            <span>{field.type}</span>
            {field.required && <em>required</em>}
          </p>
          {field.description && (
            <p>
              <Words text={field.description} />
            </p>
          )}
          {field.limits.length > 0 && <small>{field.limits.join(" · ")}</small>}
          <Values name={field.name} values={field.values} />
          {field.children.length > 0 && (
            <details className="group/field mt-1.5">
              <summary className="inline-flex list-none items-center gap-1 rounded-sm text-accent text-xs [&::-webkit-details-marker]:hidden">
                <ChevronRight
                  aria-hidden="true"
                  className="size-3 transition-transform group-open/field:rotate-90"
                />
                {count(field.children.length, "field")} of {field.name}
              </summary>
              <div className="mt-1 border-line border-l pl-3">
                <FieldList fields={field.children} label={`Fields of ${field.name}`} />
              </div>
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

function Values({ name, values }: { name: string; values: string[] }) {
  if (values.length === 0) return null;
  if (values.length <= SHOWN_VALUES) return <ValueLine values={values} />;
  return (
    <details className="mt-1">
      <summary className="rounded-sm text-accent text-xs">
        {values.length} values of {name}
      </summary>
      <ValueLine values={values} />
    </details>
  );
}

function ValueLine({ values }: { values: string[] }) {
  return (
    <p className="mt-1 flex flex-wrap gap-1">
      {values.map((value) => (
        <code
          key={value}
          className="break-all rounded-sm border border-line bg-sunken px-1 font-mono text-2xs text-muted"
        >
          {value}
        </code>
      ))}
    </p>
  );
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

const INKS: Record<ApiMethod, string> = {
  GET: "text-accent",
  POST: "text-success",
  PUT: "text-warning",
  PATCH: "text-warning",
  DELETE: "text-danger",
};

/** An operation's method; its colour only repeats the word. */
export function MethodBadge({ method, className }: { method: ApiMethod; className?: string }) {
  return (
    <span
      className={mergeClasses("shrink-0 font-medium font-mono text-2xs", INKS[method], className)}
    >
      {method}
    </span>
  );
}
