import "server-only";
import type { Method, Operation } from "@/lib/api/http/operation";
import { ServiceError } from "@/lib/model/errors";

/** What was removed from the API, and where it went. */
const REMOVED: Record<string, string> = {
  "/v1/models":
    "GET /v1/models was removed. The models are listed in /v1/openapi.json, as the values of " +
    "the field model of POST /v1/runs, and in the console under Models.",
};

/** The one answer to whatever has no route, and to what must look like it. */
export function noSuchRoute(path = ""): ServiceError {
  return new ServiceError(
    "NOT_FOUND",
    REMOVED[path] ?? "There is no such route. The routes are described at /v1/openapi.json.",
  );
}

interface Route {
  segments: string[];
  operations: Map<Method, Operation>;
}

export interface Match {
  operations: Map<Method, Operation>;
  params: Record<string, string>;
}

/** Finds the operations of a path. Fixed segments win over parameters. */
export class Router {
  /** By how long a path is and how it begins; the ones with fewer parameters first. */
  readonly #routes = new Map<string, Route[]>();

  constructor(operations: readonly Operation[]) {
    const byPath = new Map<string, Route>();
    for (const operation of operations) {
      const route = byPath.get(operation.path) ?? {
        segments: operation.path.split("/").slice(1),
        operations: new Map(),
      };
      route.operations.set(operation.method, operation);
      byPath.set(operation.path, route);
    }
    for (const route of [...byPath.values()].sort(
      (a, b) => parameterCount(a) - parameterCount(b),
    )) {
      const shape = shapeOf(route.segments);
      this.#routes.set(shape, [...(this.#routes.get(shape) ?? []), route]);
    }
  }

  find(pathname: string): Match | null {
    const parts = pathname.split("/").slice(1);
    for (const route of this.#routes.get(shapeOf(parts)) ?? []) {
      const params = matchSegments(route.segments, parts);
      if (params) return { operations: route.operations, params };
    }
    return null;
  }
}

/** No path has a parameter as its second segment: `/v1/<noun>`, `/api/<where>`. */
function shapeOf(segments: string[]): string {
  return `${segments.length} ${segments[1]}`;
}

function parameterCount(route: Route): number {
  return route.segments.filter((segment) => segment.startsWith("{")).length;
}

function matchSegments(segments: string[], parts: string[]): Record<string, string> | null {
  if (segments.length !== parts.length) return null;
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const part = parts[index] ?? "";
    if (!segment.startsWith("{")) {
      if (segment !== part) return null;
      continue;
    }
    if (part === "") return null;
    params[segment.slice(1, -1)] = decode(part);
  }
  return params;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // not a valid escape, so no valid id either: the parameter's schema refuses it
  }
}
