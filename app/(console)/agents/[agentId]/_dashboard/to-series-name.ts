/** A field as people read it: `/data/net_total` is “net total”. */
export function toSeriesName(field: string): string {
  const last = field.split("/").at(-1) || field;
  return last.replaceAll("~1", "/").replaceAll("~0", "~").replaceAll("_", " ");
}
