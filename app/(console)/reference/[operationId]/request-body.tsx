import type { ApiDocument } from "@/lib/console/reference/api-document";
import { followReference } from "@/lib/console/reference/follow-reference";
import type { ReferenceOperation } from "@/lib/console/reference/list-operations";
import { toFields } from "@/lib/console/reference/to-fields";
import { FieldList } from "../_parts/field-list";
import { Prose } from "../_parts/prose";
import { Section } from "../_parts/section";

/** What is sent, by media type. */
export function RequestBody({ document, operation }: { document: ApiDocument; operation: ReferenceOperation }) {
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
