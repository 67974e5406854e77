import type { ModelInfo } from "@/lib/console/console-schemas";

/** When a model's vendor ends it, and what stands in for it, in a sentence. */
export function endOfModel({
  life,
  retires,
  successor,
}: Pick<ModelInfo, "life" | "retires" | "successor">): string {
  const when =
    life === "gone" ? "Its vendor no longer serves it" : `Its vendor ends it on ${retires}`;
  return successor ? `${when}; use ${successor} instead.` : `${when}.`;
}
