let stream = process.stdout;

/** Prints one line of progress, on stdout unless `sayTo` chose another stream. */
export function say(text = "") {
  stream.write(`${text}\n`);
}

/** Sends all later progress to `target`: the operator's command keeps stdout for its one JSON object. */
export function sayTo(target) {
  stream = target;
}

/** Runs `work` and prints one line with its title and how long it took. A failure is passed on, after a line that says so. */
export async function sayStep(title, work) {
  const started = performance.now();
  say(`  ${title} …`);
  try {
    const result = await work();
    say(`  ${title}: done in ${seconds(started)}`);
    return result;
  } catch (error) {
    say(`  ${title}: failed after ${seconds(started)}`);
    throw error;
  }
}

function seconds(started) {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
}
