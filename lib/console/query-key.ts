/**
 * The React Query key of a path: split at `/` and `?`, so that invalidating `queryKey("v1/agents")` reaches every list and record
 * below it. Server and browser make the same key from the same path, which is what hydration needs.
 */
export function queryKey(path: string): string[] {
  return path.split(/[/?]/);
}
