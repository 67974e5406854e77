/**
 * What is run seldom, `npm run task -- NAME`: by name its file and what it does.
 * @type {Record<string, { file: string, does: string }>}
 */
export const TASKS = {
  "api:freeze": {
    file: "scripts/api-freeze.mjs",
    does: "writes today's API as that of the release in package.json",
  },
  "bench:claims": {
    file: "bench/claims.mjs",
    does: "what a claim takes with 100 to 10,000 runs at work, beside twenty processes",
  },
  "bench:million": {
    file: "bench/million.mjs",
    does: "lists and sweeps on a million runs; --runs N for fewer",
  },
  "bench:profile": {
    file: "bench/profile.mjs",
    does: "where the processor time of a run goes: service, database, statement by statement",
  },
  "bench:peers": {
    file: "bench/peers.mjs",
    does: "installs what `npm run bench` compares the service with",
  },
  "bench:quality": {
    file: "bench/quality/run.mjs",
    does: "what a model makes of 192 requests in prose",
  },
  "docs:images": { file: "scripts/docs-images.mjs", does: "takes the README's pictures anew" },
  "docs:journeys": {
    file: "scripts/docs-journeys.mjs",
    does: "writes docs/journeys.md anew from the imports",
  },
  licences: {
    file: "scripts/licences.mjs",
    does: "writes THIRD_PARTY_LICENSES anew from the lock file",
  },
  lock: {
    file: "scripts/complete-lock.mjs",
    does: "adds other platforms' packages to the lock file, after a change of dependencies",
  },
  "models:refresh": {
    file: "scripts/models-refresh.mjs",
    does: "compares the models' facts with a public price list",
  },
  "package-names": {
    file: "scripts/package-names.mjs",
    does: "whether the clients' names are free at the registries",
  },
};
