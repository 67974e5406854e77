/** Well-formed ids that no object has: of version 7, of version 4, and of none. */
export const UNKNOWN_ID = "01900000-0000-7000-8000-000000000000";
export const UNKNOWN_IDS = [
  UNKNOWN_ID,
  "3b241101-e2bb-4255-8caf-4136c566a962",
  "00000000-0000-0000-0000-000000000000",
];
/** What is no uuid, as a path segment. */
export const MALFORMED_IDS = [
  "42",
  "not-a-uuid",
  `${UNKNOWN_ID}0`,
  UNKNOWN_ID.replaceAll("-", ""),
  `${UNKNOWN_ID.slice(0, -1)}g`,
  "%00",
];
