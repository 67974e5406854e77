import "server-only";

type Part = Record<string, unknown>;
type Components = Record<string, Part>;

/**
 * Replaces, in place, parameters and examples that stand in several places by references to one component of their name. Where parts of one name
 * differ, the first that is repeated has it.
 */
export function shareParts(document: { components?: object }): void {
  const found = { parameters: [] as Found[], examples: [] as Found[] };
  collect(document, found);
  const components = document.components as Record<string, Components>; // made by the generator
  for (const kind of ["parameters", "examples"] as const) {
    const shared = share(found[kind], kind);
    if (Object.keys(shared).length > 0) components[kind] = { ...components[kind], ...shared };
  }
}

interface Found {
  name: string;
  text: string;
  part: Part;
}

function collect(node: unknown, found: { parameters: Found[]; examples: Found[] }): void {
  if (Array.isArray(node)) for (const item of node) collect(item, found);
  if (typeof node !== "object" || node === null || Array.isArray(node)) return;
  if ("in" in node && "name" in node && "schema" in node) found.parameters.push(toFound(String(node.name), node));
  for (const [key, value] of Object.entries(node)) {
    if (key === "schema" || key === "schemas" || key === "value") continue;
    if (key === "examples") for (const [name, example] of Object.entries(value)) found.examples.push(toFound(name, example));
    else collect(value, found);
  }
}

function toFound(name: string, part: unknown): Found {
  return { name, text: JSON.stringify(part), part: part as Part };
}

function share(places: readonly Found[], kind: string): Components {
  const shared: Components = {};
  const counts = new Map<string, number>();
  for (const { text } of places) counts.set(text, (counts.get(text) ?? 0) + 1);
  for (const { name, text } of places) if ((counts.get(text) ?? 0) > 1) shared[name] ??= JSON.parse(text) as Part; // a copy
  for (const { name, text, part } of places) {
    if (JSON.stringify(shared[name]) !== text) continue;
    for (const key of Object.keys(part)) delete part[key];
    part.$ref = `#/components/${kind}/${name}`;
  }
  return shared;
}
