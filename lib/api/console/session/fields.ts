import "server-only";
import { z } from "zod";
import { EMAIL_MAX_CHARACTERS, PASSWORD_MAX_CHARACTERS, PASSWORD_MIN_CHARACTERS } from "@/lib/model/limits";

export const emailField = z
  .email("must be an e-mail address")
  .max(EMAIL_MAX_CHARACTERS, `must have at most ${EMAIL_MAX_CHARACTERS} characters`);

/** A password that is being chosen. */
export const passwordField = z
  .string()
  .min(PASSWORD_MIN_CHARACTERS, `must have at least ${PASSWORD_MIN_CHARACTERS} characters`)
  .max(PASSWORD_MAX_CHARACTERS, `must have at most ${PASSWORD_MAX_CHARACTERS} characters`);

/** A password that is asked for. */
export const currentPasswordField = z.string().max(PASSWORD_MAX_CHARACTERS);

/** The token of a mailed link. */
export const tokenField = z.string().min(1, "is missing from the link").max(100, "is not a link's token");
