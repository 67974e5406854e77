/** The end of an id: UUIDv7s of one minute share their beginning, so the end is what tells them apart. */
export function shortenId(id: string): string {
  return id.length <= 12 ? id : `…${id.slice(-8)}`;
}
