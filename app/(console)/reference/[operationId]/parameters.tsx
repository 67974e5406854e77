import type { ApiDocument, ApiParameter } from "@/lib/console/reference/api-document";
import { followReference } from "@/lib/console/reference/follow-reference";
import type { ReferenceOperation } from "@/lib/console/reference/list-operations";
import type { SchemaField } from "@/lib/console/reference/schema-field";
import { toFields } from "@/lib/console/reference/to-fields";
import { FieldList } from "../_parts/field-list";
import { Section } from "../_parts/section";

const PLACES: { in: ApiParameter["in"]; title: string }[] = [
  { in: "path", title: "Path parameters" },
  { in: "query", title: "Query parameters" },
  { in: "header", title: "Headers" },
];

/** What is said beside the body: in the path, in the query, in headers. */
export function Parameters({ document, operation }: { document: ApiDocument; operation: ReferenceOperation }) {
  const parameters = (operation.source.parameters ?? []).map((parameter) => followReference(document, parameter));
  return PLACES.map((place) => {
    const fields = parameters.filter((each) => each.in === place.in).map((each) => fieldOf(document, each));
    if (fields.length === 0) return null;
    return (
      <Section key={place.in} id={`${place.in}-parameters`} title={place.title}>
        <FieldList fields={fields} label={place.title} />
      </Section>
    );
  });
}

/** A parameter is a field like any other; its words stand beside its schema. */
function fieldOf(document: ApiDocument, { name, required = false, description, schema = {} }: ApiParameter): SchemaField {
  const [field] = toFields(document, { type: "object", properties: { [name]: { ...followReference(document, schema), description } } });
  if (!field) throw new Error(`The parameter ${name} has no schema.`);
  return { ...field, required };
}
