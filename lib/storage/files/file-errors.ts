import "server-only";

/** The source held more bytes than allowed. Nothing was stored. */
export class FileTooLarge extends Error {
  override readonly name = "FileTooLarge";

  constructor(readonly maxBytes: number) {
    super(`The file is larger than ${maxBytes} bytes.`);
  }
}

/** There is no file under the key. */
export class FileMissing extends Error {
  override readonly name = "FileMissing";

  constructor() {
    super("The file is not in the store.");
  }
}
