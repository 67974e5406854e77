/**
 * A failure whose message is one clear sentence for the person at the terminal; `details` are the
 * last lines of the tool that failed.
 */
export class SetupError extends Error {
  /**
   * @param {string} message
   * @param {string} [details]
   */
  constructor(message, details = "") {
    super(message);
    this.name = "SetupError";
    this.details = details;
  }
}
