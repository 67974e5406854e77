import type { DashboardTemplate } from "@/lib/model/dashboard/dashboard-template-schema";
import { settleLayout } from "@/lib/model/dashboard/settle-layout";

export type Place = DashboardTemplate["layout"][number];

/**
 * The widgets' places without overlaps and without rows that are empty all across, in the order in which they are read: this is also how one column
 * on a phone stacks them.
 */
export function readingOrder(layout: Place[]): Place[] {
  const settled = settleLayout(layout).toSorted((left, right) => left.y - right.y || left.x - right.x);
  const filled = new Set(settled.flatMap(({ y, h }) => Array.from({ length: h }, (_, row) => y + row)));
  return settled.map((place) => ({ ...place, y: [...filled].filter((row) => row < place.y).length }));
}
