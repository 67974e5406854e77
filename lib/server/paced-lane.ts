import "server-only";

const TURN_MS = 10;

/**
 * Does cheap things a few at a time: some 500 a second. A client that asks again the moment it is refused would otherwise be refused thousands of times a
 * second, and each other request would wait behind that; held back, it asks no faster than it is answered.
 */
export class PacedLane {
  #waiting: (() => void)[] = [];
  #doneInTurn = 0;
  #isTurning = false;

  constructor(
    private readonly eachTurn = 5,
    private readonly waitingMax = 5_000,
    private readonly nextTurn: (work: () => void) => void = (work) => void setTimeout(work, TURN_MS).unref(),
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
