import "server-only";

/**
 * Does cheap things a few in each turn of the event loop. A client that asks again the moment it is refused would otherwise fill every turn with its
 * refusals, and each other request would wait behind hundreds of them.
 */
export class PacedLane {
  #waiting: (() => void)[] = [];
  #doneInTurn = 0;
  #isTurning = false;

  constructor(
    private readonly eachTurn = 4,
    private readonly waitingMax = 10_000,
    private readonly nextTurn: (work: () => void) => void = setImmediate,
  ) {}

  /** @returns false when too many wait already; then nothing will be done */
  do(work: () => void): boolean {
    if (this.#waiting.length >= this.waitingMax) return false;
    if (this.#doneInTurn < this.eachTurn && this.#waiting.length === 0) {
      this.#doneInTurn += 1;
      work();
    } else {
      this.#waiting.push(work);
    }
    this.#turn();
    return true;
  }

  #turn(): void {
    if (this.#isTurning) return;
    this.#isTurning = true;
    this.nextTurn(() => {
      this.#isTurning = false;
      const now = this.#waiting.splice(0, this.eachTurn);
      this.#doneInTurn = now.length;
      for (const work of now) work();
      if (this.#waiting.length > 0 || now.length > 0) this.#turn();
    });
  }
}
