import { NOWHERE_ID } from "../nowhere-id";
import type { ApiDocument } from "./api-document";

/** Whose object a token names: one that stays, one that may be changed, one to be used up, somebody else's, or none at all. */
export type PlaceKind = "kept" | "spare" | "doomed" | "foreign" | "nowhere";

const TOKEN = /~(kept|spare|doomed|foreign|nowhere)\.(\d+)\.(\d+)\.(path|id)~/g;
const CURSOR = /~cursor\.(\w+)\.(\d+)~/g;
const SPARES_MAX = 40;

/**
 * Real objects by the place where they are fetched, such as `/v1/runs/{run_id}` → `/v1/runs/0190…`. A request names them by tokens, so that
 * fast-check can repeat and shrink it whatever the ids are.
 */
export class ObjectPool {
  readonly templates: string[];
  private readonly places = new Map<string, string[]>();
  private readonly cursors = new Map<string, string[]>();

  constructor(document: ApiDocument) {
    const prefixes = document.operations.flatMap(({ path }) =>
      [...path.matchAll(/\/\{\w+\}/g)].map((match) => path.slice(0, match.index + match[0].length)),
    );
    this.templates = [...new Set(prefixes)].sort((a, b) => a.split("/").length - b.split("/").length);
  }

  /** The template of the longest part of a path that names an object; null when none does. */
  templateOf(path: string): string | null {
    return this.templates.findLast((template) => path === template || path.startsWith(`${template}/`)) ?? null;
  }

  /** The template of the objects whose ids a field of this name holds; `agent_id` and `agentId` alike. */
  templateNamed(field: string): string | null {
    const wanted = toSnakeCase(field);
    return this.templates.find((template) => /_id$/.test(wanted) && toSnakeCase(lastParam(template)) === wanted) ?? null;
  }

  token(kind: PlaceKind, template: string, index: number, part: "path" | "id"): string {
    return `~${kind}.${this.templates.indexOf(template)}.${index}.${part}~`;
  }

  add(kind: "kept" | "spare" | "foreign", template: string, place: string): void {
    const list = this.listOf(kind, template);
    if (!list.includes(place)) list.push(place);
    if (kind === "spare" && list.length > SPARES_MAX) list.shift();
  }

  addCursor(operationId: string, cursor: string): void {
    const list = this.cursors.get(operationId) ?? [];
    if (list.length < SPARES_MAX) this.cursors.set(operationId, [...list, cursor]);
  }

  placesOf(kind: "kept" | "spare" | "foreign", template: string): readonly string[] {
    return this.listOf(kind, template);
  }

  /** Puts real ids and cursors in the tokens' places. */
  fill(text: string): string {
    return text
      .replace(TOKEN, (_, kind: PlaceKind, template: string, index: string, part: string) => {
        const place = this.pick(kind, this.templates[Number(template)] ?? "", Number(index));
        return part === "path" ? place : place.slice(place.lastIndexOf("/") + 1);
      })
      .replace(CURSOR, (_, operationId: string, index: string) => {
        const list = this.cursors.get(operationId) ?? [];
        return list[Number(index) % list.length] ?? "none";
      });
  }

  private pick(kind: PlaceKind, template: string, index: number): string {
    const spares = this.listOf("spare", template);
    if (kind === "doomed") return spares.splice(index % Math.max(1, spares.length), 1)[0] ?? nowhere(template);
    const list =
      kind === "spare" && spares.length > 0 ? spares : kind === "spare" ? this.listOf("kept", template) : this.listOf(kind, template);
    return list[index % list.length] ?? nowhere(template);
  }

  private listOf(kind: PlaceKind, template: string): string[] {
    const key = `${kind} ${template}`;
    const list = this.places.get(key) ?? [];
    this.places.set(key, list);
    return list;
  }
}

function nowhere(template: string): string {
  return template.replace(/\{\w*name\}/g, "NOWHERE").replace(/\{\w+\}/g, NOWHERE_ID);
}

function lastParam(template: string): string {
  return template.slice(template.lastIndexOf("{") + 1, -1);
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
