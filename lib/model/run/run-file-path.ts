/** What the path of a run's own file begins with, beside those of a workspace. */
export const RUN_FILE_PREFIX = "run:";

/** A run's file as its tools name it. */
export function shownRunPath(path: string): string {
  return `${RUN_FILE_PREFIX}${path}`;
}

/** The path behind `run:`; null for a path of the workspace. */
export function pathInRun(path: string): string | null {
  return path.startsWith(RUN_FILE_PREFIX) ? path.slice(RUN_FILE_PREFIX.length) : null;
}
