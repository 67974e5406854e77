const MEMO = "the answer of a pure function, kept by what it was asked: any number of copies agree";
const CONSTANT = "a constant of the code, read or computed when it is first needed";
const BY_OBJECT = "said of an object that somebody else owns, and gone with it";

/**
 * What a module may keep beside the service, by file and variable, with the reason. It holds no
 * handle, no timer and nothing of an account, and two copies of it in one process do no harm.
 * @type {Record<string, Record<string, string>>}
 */
export const MODULE_STATE_EXCEPTIONS = {
  "lib/api/console/api-document.ts": { parsed: CONSTANT },
  "lib/api/http/bearer-key.ts": { latest: MEMO },
  "lib/api/schemas/fields.ts": { pages: MEMO },
  "lib/domain/execution/run/prompt-context.ts": { lists: MEMO },
  "lib/engine/embedded/start-embedded-executor.ts": { guarded: BY_OBJECT },
  "lib/model/json-schema/match-pattern.ts": { kept: MEMO },
  "lib/offline-model/word-pattern.ts": { kept: MEMO },
  "lib/platform/ids.ts": { used: "random bytes that nobody else is given" },
  "lib/platform/postgres.ts": { ends: BY_OBJECT },
  "lib/runtime/models/available-models.ts": { made: MEMO },
  "lib/runtime/models/read-turn.ts": { weighed: BY_OBJECT },
  "lib/runtime/prompts/situation.ts": { clocks: MEMO, marks: BY_OBJECT },
  "lib/runtime/tools/define-tool.ts": { derivedOf: MEMO },
  "lib/runtime/tools/media-tools.ts": { argsOfModels: BY_OBJECT },
  "lib/server/path-rules.ts": { uploads: "a table of the operations, which does not change" },
  "lib/templates/templates.ts": { loaded: CONSTANT },
};

/**
 * Tests that are about the environment of a process itself.
 * @type {Record<string, string>}
 */
export const ENVIRONMENT_TESTS = {
  "lib/client/resources.test.ts": "the client reads its key from the environment of its program",
  "lib/runtime/python/container-process.test.ts":
    "what a program of the machine is handed of the process's own environment",
  "lib/platform/egress/egress-fetch.test.ts": "what Node.js reads of proxies and certificates",
};
