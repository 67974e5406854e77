const whole = new Intl.NumberFormat("en");
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** `1,204`, and from a million `1.3M`. */
export function formatCount(count: number): string {
  return (count >= 1_000_000 ? compact : whole).format(count);
}
