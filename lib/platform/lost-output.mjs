/**
 * From now on this process goes on where nobody reads any more what it prints: who had its pipe has
 * ended. Without it each line that cannot be written is an uncaught error, and telling of that is
 * another one, without end.
 */
export function surviveLostOutput() {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}
