/** Thrown when a check has cost as much as it may. */
export class WorkSpent extends Error {
  override name = "WorkSpent";
}

/** A count of elementary steps that hostile input cannot exceed; a million take some ten milliseconds. */
export class WorkBudget {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  /** Takes `steps` off; throws `WorkSpent` when they are not there. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new WorkSpent("The check was given up.");
  }
}
