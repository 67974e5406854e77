/** One line of a schema that is shown as a tree. */
export interface SchemaField {
  name: string;
  /** In words: `string (uuid)`, `array of objects`, `number or null`. */
  type: string;
  required: boolean;
  description: string;
  /** In words: `1–255 characters`, `default 20`. */
  limits: string[];
  /** The only values that it may have, as JSON. */
  values: string[];
  children: SchemaField[];
}
