import { andThen, type Finding } from "@/lib/console/dashboard/finding";
import { isJsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import type { Artifact } from "@/lib/model/run/run-result";

/** The files among a value: a run's artifacts, or one of them. What is no artifact is passed over. */
export function findArtifacts(source: Finding<JsonValue>, limit: number): Finding<Artifact[]> {
  return andThen(source, (value) => {
    const all = (Array.isArray(value) ? value : [value]).flatMap(toArtifact);
    if (all.length > 0) return { state: "there", value: all.slice(0, limit) };
    return Array.isArray(value) && value.length === 0
      ? { state: "missing", why: "The last run made no files." }
      : { state: "unfit", why: "There are no artifacts here." };
  });
}

function toArtifact(value: JsonValue): Artifact[] {
  if (!isJsonObject(value)) return [];
  const { id, title, type, url, name, size_bytes } = value;
  if (typeof id !== "string" || typeof url !== "string" || typeof name !== "string" || typeof size_bytes !== "number") return [];
  return [{ id, url, name, size_bytes, title: typeof title === "string" ? title : name, type: typeof type === "string" ? type : "" }];
}
