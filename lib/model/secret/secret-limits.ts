/** What a secret's name may be. */
export const SECRET_NAME = /^[A-Z][A-Z0-9_]{0,63}$/;
/** Largest value, in bytes of UTF-8. */
export const SECRET_VALUE_MAX_BYTES = 65_536;
export const SECRET_MAX_ALLOWED_HOSTS = 50;
/** The most bytes of an account's values together: each tool result is searched for all of them in many spellings. */
export const SECRETS_MAX_BYTES = 393_216;
