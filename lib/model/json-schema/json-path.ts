/** The way to a value inside a JSON value: keys of objects and indexes of arrays. */
export type JsonPath = readonly (string | number)[];

const SEGMENT_MAX_CHARACTERS = 128;

/** The dotted form that error details carry (`tools.http.0.url`); `prefix` stands in front of it. Long keys are cut. */
export function toDottedPath(path: JsonPath, prefix = ""): string {
  const segments = path.map((segment) => cut(String(segment)));
  return prefix === "" ? segments.join(".") : [prefix, ...segments].join(".");
}

function cut(segment: string): string {
  return segment.length <= SEGMENT_MAX_CHARACTERS ? segment : `${segment.slice(0, SEGMENT_MAX_CHARACTERS)}…`;
}
