import type { DashboardTemplate } from "@/lib/model/dashboard/dashboard-template-schema";

type Place = DashboardTemplate["layout"][number];

/**
 * The layout as it can be drawn: widgets that would lie on each other move down until they do not, the upper left one first.
 * The order of the places stays.
 */
export function settleLayout(layout: Place[]): Place[] {
  const settled = new Map<Place, Place>();
  const order = [...layout].sort((left, right) => left.y - right.y || left.x - right.x);
  for (const place of order) {
    let y = place.y;
    for (let below = blocker(place, y, settled); below !== undefined; below = blocker(place, y, settled)) y = below.y + below.h;
    settled.set(place, { ...place, y });
  }
  return layout.map((place) => settled.get(place) ?? place);
}

function blocker(place: Place, y: number, settled: Map<Place, Place>): Place | undefined {
  const overlaps = (other: Place) =>
    place.x < other.x + other.w && other.x < place.x + place.w && y < other.y + other.h && other.y < y + place.h;
  return [...settled.values()].find(overlaps);
}
