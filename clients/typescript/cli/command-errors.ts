/** The command was given in a way that it does not have. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** What a person has to see to before the command can work. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}
