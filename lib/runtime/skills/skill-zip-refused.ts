import "server-only";

/** Why an uploaded zip is no skill; the message is fit for a person and names no place on this machine. */
export class SkillZipRefused extends Error {
  override name = "SkillZipRefused";
}
