/** Does work that comes in steps to its end in one go, for what is known to be small. */
export function atOnce<Result>(work: Generator<void, Result, void>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
