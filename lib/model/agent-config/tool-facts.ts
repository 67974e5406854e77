/**
 * What the rest of the service goes by of a tool of its own. It is said in the tool's file, beside
 * what the tool does; what stands in `built-in-facts.ts` is made of that.
 */
export interface ToolFacts {
  name: string;
  /**
   * How a run comes by it: its agent's config may list it, `tools.memory` switches it on, every run
   * has it, those with many connectors have it, or it belongs to the super-agent's runs or to
   * builds.
   */
  offered: "config" | "memory" | "always" | "lookup" | "super_agent" | "build";
  /** What a call may change: nothing, what the service keeps for the account, or anything. */
  writes: "nothing" | "inside" | "anything";
  /** One name, in texts, for tools that belong together. */
  group?: "files" | "media";
  /**
   * An agent has it only where its config lists it. `with_connectors`: only where it has tools that
   * know what others do not, connectors or its caller's.
   */
  listed?: "always" | "with_connectors";
  /** It reaches the outside or the account's files: an agent that gains it can do more. */
  reaches?: true;
  /**
   * Its results come from within: the account's files and notes, and what the model said itself.
   */
  within?: true;
  /**
   * It works in a dry run as in any other: it only computes, reads what the account has, or writes
   * what such a run keeps to itself.
   */
  worksDry?: true;
  /** No connector may have its name; else a connector that has it takes its place. */
  keepsName?: true;
  /** A rule that a run's prompt says where it has the tool; tools of one group may share one. */
  rule?: string;
  /** Of a tool that configs may list: what whoever writes one is told of it. */
  guide?: string;
  /** What is added to it where the operator has an image of Python, and where there is none. */
  guideWithImage?: string;
  guideWithoutImage?: string;
}
