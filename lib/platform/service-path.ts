import "server-only";

/**
 * Who answers a path: the API's dispatcher (`account` for `/v1`, `app` for an app's own address), an Inngest server's calls, another JSON route of Next, or a page
 * of Next. Whole segments count: `/v1x` is a page.
 */
export type ServicePath = "account" | "app" | "engine" | "route" | "page";

export function servicePath(path: string): ServicePath {
  if (isBelow(path, "/v1")) return "account";
  if (isBelow(path, "/api/v1/apps")) return "app";
  if (isBelow(path, "/api/inngest")) return "engine";
  return isBelow(path, "/api") || isBelow(path, "/mcp") || isBelow(path, "/metrics") ? "route" : "page";
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}
