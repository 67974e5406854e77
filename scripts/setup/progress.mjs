/** @type {NodeJS.WritableStream} */
let stream = process.stdout;

/** Prints one line of progress, on stdout unless `printTo` chose another stream. */
export function print(text = "") {
  stream.write(`${text}\n`);
}

/**
 * Sends all later progress to `target`: the operator's command keeps stdout for its one JSON
 * object.
 * @param {NodeJS.WritableStream} target
 */
export function printTo(target) {
  stream = target;
}

/**
 * Runs `work` and prints one line with its title and how long it took. A failure is passed on,
 * after a line that says so.
 * @template T
 * @param {string} title
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T>}
 */
export async function progress(title, work) {
  const started = performance.now();
  print(`  ${title} …`);
  try {
    const result = await work();
    print(`  ${title}: done in ${seconds(started)}`);
    return result;
  } catch (error) {
    print(`  ${title}: failed after ${seconds(started)}`);
    throw error;
  }
}

/**
 * How long ago it was, as people read it.
 * @param {number} started by `performance.now()`
 */
export function seconds(started) {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
}
