/** Which conversations a run kind may continue (contract §2). */
export const CONVERSATION_FAMILIES = ["creation", "agent", "super_agent"] as const;
export type ConversationFamily = (typeof CONVERSATION_FAMILIES)[number];

/**
 * What the rest of the service goes by of a kind of run. It is said in the kind's program, beside
 * what its runs do; what stands in `run-kinds.ts` is made of that.
 */
export interface KindFacts {
  /** Its name on the wire and in rows. */
  kind: string;
  /**
   * The conversations that it continues. Of the family `creation` are the builds: they are told
   * what to do in words, and work on an agent, by none.
   */
  family: ConversationFamily;
  /** Whose routes show its runs. */
  routes: "agent" | "super_agent";
  /** It is started with an app's key and shown on that path: what it is given is an end user's. */
  onAppPath?: true;
  /**
   * It may start runs of its own. `own`: all of them may, and their runs share its limit;
   * `configured`: where its agent's config says which agents it calls.
   */
  startsRuns?: "own" | "configured";
  /**
   * What lists call its runs: of an agent whose name is known, where `{agent}` stands for it, and
   * else. Absent: by their agent's name.
   */
  title?: { of: string; alone: string };
}
