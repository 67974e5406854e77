import { invalidInput } from "@/lib/model/errors";
import { END_USER_MAX_CHARACTERS, METADATA_VALUE_MAX_CHARACTERS } from "@/lib/model/limits";
import { textOf } from "@/lib/model/text-of";

/** The pair of a run's metadata that is the same as its `end_user`. */
export const END_USER_KEY = "end_user";

/** What no address can carry: a browser takes the first two for folders, PostgreSQL no NUL. */
const isAddressable = (text: string) =>
  text !== "." && text !== ".." && !text.includes("\u0000") && text.isWellFormed();
const NOT_ADDRESSABLE = "must be neither . nor .., without NUL characters and lone surrogates";

/** A person of the account's own, as its backend names them. */
export const endUserField = textOf(END_USER_MAX_CHARACTERS, {
  min: 1,
  message: `must have 1 to ${END_USER_MAX_CHARACTERS} characters`,
})
  .refine(isAddressable, NOT_ADDRESSABLE)
  .meta({
    description: "Your name for the person for whom it is, such as a row's id.",
    example: "u_42",
  });

/** The same where one is asked for: `metadata.end_user` may have named them before, longer. */
export const namedEndUserField = textOf(METADATA_VALUE_MAX_CHARACTERS, {
  min: 1,
  message: `must have 1 to ${METADATA_VALUE_MAX_CHARACTERS} characters`,
})
  .refine(isAddressable, NOT_ADDRESSABLE)
  .meta({ examples: ["u_42"] });

interface Named {
  endUser: string | null;
  metadata: Record<string, string>;
}

/**
 * For whom a request is: `end_user` and `metadata.end_user` are one, and whichever is given fills
 * the other.
 * @param path what the request calls the field
 * @throws ServiceError INVALID_INPUT where both are given and differ
 */
export function withEndUser<T extends Named>(request: T, path: string): T {
  const paired = request.metadata[END_USER_KEY] || null;
  const { endUser } = request;
  if (endUser === null) return paired === null ? request : { ...request, endUser: paired };
  if (paired !== null && paired !== endUser)
    throw invalidInput(path, `is not the same as metadata.${END_USER_KEY}: leave one of them out`);
  return { ...request, metadata: { ...request.metadata, [END_USER_KEY]: endUser } };
}
