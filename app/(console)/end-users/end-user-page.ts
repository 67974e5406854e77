/** Where the page of a person is. Their name stands in the query, which no log has. */
export function endUserPage(endUser: string): string {
  return `/end-users/person?name=${encodeURIComponent(endUser)}`;
}
