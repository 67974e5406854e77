import "server-only";

/**
 * One value per process under a name. Bundlers give pages, routes and `instrumentation.ts` module
 * graphs of their own, so a module-level variable may exist several times; pools, listeners and
 * hubs must not.
 */
export function processSingleton<T>(name: string, create: () => T): T {
  const key = Symbol.for(`lathe.${name}`);
  const store = globalThis as unknown as Record<symbol, T | undefined>; // the global object has no index signature for symbols
  const existing = store[key];
  if (existing !== undefined) return existing;
  const made = create();
  store[key] = made;
  return made;
}
