/** A text that repeats itself says the same at least so often. */
const ROUNDS_MIN = 10;
/** And so long, in UTF-16 units: a refrain is shorter. */
const REPEATED_MIN_CHARACTERS = 4_000;
/** What is repeated is a word or less: a drawn line, a row of zeros or of marks, which is meant. */
const SHORT_UNIT_CHARACTERS = 12;
/** In these scripts so few letters are words, and more than one. */
const SHORT_SENTENCE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{4}/u;
/** That is let be for longer, some four thousand words. */
const SHORT_MIN_CHARACTERS = 16_000;
/** How much is written between two looks. */
const STEP_CHARACTERS = 500;

/**
 * Notices a model that says the same again and again, while it speaks: some small models go on so
 * until somebody stops them.
 */
export class RepetitionWatch {
  #text = "";
  #looked = 0;

  /**
   * Takes the next piece.
   * @returns how much of all text is said once, in UTF-16 units; null while it does not repeat
   * itself
   */
  push(delta: string): number | null {
    this.#text += delta;
    if (this.#text.length - this.#looked < STEP_CHARACTERS) return null;
    this.#looked = this.#text.length;
    return this.#look(SHORT_MIN_CHARACTERS);
  }

  /**
   * The same for a text that was cut at the length that it may have: to go on with a word that was
   * said for so long is of no use.
   */
  cut(): number | null {
    return this.#look(REPEATED_MIN_CHARACTERS);
  }

  #look(shortMin: number): number | null {
    if (this.#text.length < REPEATED_MIN_CHARACTERS) return null;
    const tail = this.#text.slice(-REPEATED_MIN_CHARACTERS);
    const period = periodOf(tail);
    if (period * ROUNDS_MIN > tail.length) return null;
    let start = this.#text.length - tail.length;
    while (start > 0 && this.#text[start - 1] === this.#text[start - 1 + period]) start -= 1;
    const unit = this.#text.slice(start, start + period);
    const isShort = period < SHORT_UNIT_CHARACTERS && !SHORT_SENTENCE.test(unit);
    if (isShort && this.#text.length - start < shortMin) return null;
    return start + period;
  }
}

/** The least shift by which a text lies upon itself; its length where there is none. */
function periodOf(text: string): number {
  // The longest beginning that is also an end, of each beginning.
  const border = new Uint32Array(text.length);
  for (let at = 1, length = 0; at < text.length; at += 1) {
    while (length > 0 && text[at] !== text[length]) length = border[length - 1] ?? 0;
    if (text[at] === text[length]) length += 1;
    border[at] = length;
  }
  return text.length - (border[text.length - 1] ?? 0);
}
