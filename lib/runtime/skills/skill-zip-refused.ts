import "server-only";

/** Why an uploaded zip is no skill; the message is fit for a person and names no place on this machine. */
export class SkillZipRefused extends Error {
  override name = "SkillZipRefused";
  /** Whether it only has too many bytes. */
  readonly isTooLarge: boolean;

  constructor(message: string, options: { cause?: unknown; isTooLarge?: boolean } = {}) {
    super(message, options);
    this.isTooLarge = options.isTooLarge ?? false;
  }
}
