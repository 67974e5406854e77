import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { ApiDocument } from "./api-document";

const FORMATS = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  "date-time": /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/,
  uri: (text: string) => URL.canParse(text),
  binary: true,
} as const;

/** Judges values by the document's own schemas, each compiled once. */
export class DocumentSchemas {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: false, formats: FORMATS, logger: false });
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(document: ApiDocument) {
    this.ajv.addSchema(document.root, "document");
  }

  /** What is wrong with a value by the schema at this pointer; null when it fits. */
  faultOf(pointer: string, value: unknown): string | null {
    const known = this.compiled.get(pointer);
    const validate = known ?? this.ajv.compile({ $ref: `document#${pointer.split("/").map(encodeURIComponent).join("/")}` });
    if (!known) this.compiled.set(pointer, validate);
    return validate(value) ? null : this.ajv.errorsText(validate.errors, { separator: "; " });
  }

  /** The same of a schema that stands by itself. */
  faultBySchema(name: string, schema: object, value: unknown): string | null {
    const validate = this.compiled.get(name) ?? this.ajv.compile(this.rebased(schema));
    this.compiled.set(name, validate);
    return validate(value) ? null : this.ajv.errorsText(validate.errors);
  }

  /** With references that lead into the document. */
  private rebased(schema: object): object {
    return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"document#'));
  }
}
