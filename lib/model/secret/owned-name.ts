/**
 * Under what a secret, or a sign-in at a server, of one person stands among the account's: neither
 * a secret's name nor a server's address holds a line break. So whoever asks by the bare name finds
 * what is the account's, and never a person's, also where a statement forgets that there are any.
 * @param endUser whose it is; null: the account's
 */
export function ownedName(name: string, endUser: string | null): string {
  return endUser === null ? name : `${name}\n${endUser}`;
}

/** The name, without whose it is. */
export function bareName(owned: string): string {
  const end = owned.indexOf("\n");
  return end === -1 ? owned : owned.slice(0, end);
}

/** Whose it is; null: the account's. */
export function ownerOf(owned: string): string | null {
  const end = owned.indexOf("\n");
  return end === -1 ? null : owned.slice(end + 1);
}

/** The names under which what a person's run uses may stand, theirs first. */
export function namesFor(name: string, endUser: string | null): string[] {
  return endUser === null ? [name] : [ownedName(name, endUser), name];
}
