/**
 * Patterns that no automaton proves, each with the reason why it is linear all the same: it begins
 * at one place, each of its repetitions has a bound, or it reads nothing but this repository.
 * @type {ReadonlyMap<string, string>}
 */
export const REASONED = new Map([
  [
    String.raw`/(?:^import [^;]*?from |^import |import\(|require(?:\.resolve)?\()"([^"]+)"/gm`,
    "Reads this repository's own modules.",
  ],
  [
    String.raw`/(?:secret|token|passw(?:or)?d|api_?key|access_?key)\w*["']?\s*[:=]\s*["'](?=[^"']*\d)(?=[^"']*[A-Za-z])[A-Za-z0-9+/_=-]{24,}["']/gi`,
    "Reads this repository's own files.",
  ],
  [
    String.raw`/(?<=\S): .*$/su`,
    "Cuts a sentence of the YAML library at its first colon: from there on everything matches.",
  ],
  [
    String.raw`/(from\s+|import\()(["'])(\.\/[^"']+?)(?:\.(?:d\.ts|js|mjs))?\2/g`,
    "Reads this repository's own modules.",
  ],
  [
    String.raw`/(from\s+|import\()(["'])(openapi-fetch|openapi-typescript-helpers)\2/g`,
    "Reads this repository's own modules.",
  ],
  [String.raw`/\/\*[\s\S]*?\*\//g`, "Reads this repository's own modules."],
  [
    String.raw`/(?:\bhttps?:\/\/)?(?:\b\d{1,3}(?:\.\d{1,3}){3}\b|\[[0-9a-f:.]{2,45}\])(?::\d+)?(?:\/[^\s"']*)?/gi`,
    "Up to the address every repetition has a bound; what follows it is optional, so that " +
      "nothing is tried again.",
  ],
  [
    String.raw`/\b(AND)\s+((?:(?!\b(?:AND|OR|ORDER BY|GROUP BY|LIMIT|RETURNING|FOR (?:NO KEY )?(?:UPDATE|SHARE)|UNION|THEN|ON CONFLICT)\b|--)[^()${"`"};]|\([^()]*\))+)/gi`,
    "Reads this repository's own modules and functions of the database.",
  ],
  [
    String.raw`/(?<!\bEND )\b(?:ELS)?IF\s+((?:(?!\bTHEN\b)[^;])+?)\s+THEN\b/g`,
    "Reads this repository's own functions of the database.",
  ],
  [String.raw`/\bPERFORM\s+[^;]+;/g`, "Reads this repository's own functions of the database."],
  [
    String.raw`/ ON public\.(\w+) [^;]*EXECUTE FUNCTION (\w+)\(/g`,
    "Reads this repository's own prisma/schema.sql.",
  ],
  [String.raw`/\bCMD\s+(\[.*)$/`, "Reads this repository's own Dockerfile."],
  [
    String.raw`/\b(?:sk|pk|rk|gsk|xai|hf|AIza)[-_]?[\w*-]{6,}|\b(?:bearer|x-api-key:?|api[-_]?key[=:]) *[\w*.~+/=-]{6,}/gi`,
    "After its word it fails within six characters, or takes all that follow and goes on behind " +
      "them.",
  ],
  [String.raw`/\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g`, "Reads this repository's own files."],
  [String.raw`/\bsk-(?:ant-|proj-|svcacct-)?[\w-]{32,}/g`, "Reads this repository's own files."],
  [String.raw`/\n|(?<=\.)\s+/`, "Reads what the bench was answered."],
  [
    "/^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/",
    "Begins at its line's start alone, and reads the rest of the line once.",
  ],
  [
    String.raw`/^lib\/(domain|api)\/(?!.*(\btest\/|\.test\.ts$|openapi\/|example)).*\.ts$/`,
    "Reads this repository's own file names.",
  ],
]);
