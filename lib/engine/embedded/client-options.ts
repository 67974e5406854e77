import "server-only";

/**
 * How an Inngest client must be made for the embedded executor, beside `fetch: embeddedFetch`: no signatures, each step reported as it
 * ends, and no limit on how long the SDK runs on from step to step in one call.
 */
export const EMBEDDED_CLIENT_OPTIONS = { isDev: true, aiMetadata: false, checkpointing: { bufferedSteps: 1, maxRuntime: 0 } } as const;
