// Loaded before a process of the service (NODE_OPTIONS=--require): its wall clock is CLOCK_SHIFT_MS
// ahead of the machine's.
const shift = Number(process.env.CLOCK_SHIFT_MS ?? 0);
const RealDate = globalThis.Date;

class ShiftedDate extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + shift);
    else super(...args);
  }

  // Own ones: frameworks that wrap Date copy only those.
  static UTC = RealDate.UTC;
  static parse = RealDate.parse;

  static now() {
    return RealDate.now() + shift;
  }
}

// Called as a function, Date gives a text; a class cannot be called.
globalThis.Date = new Proxy(ShiftedDate, { apply: () => new ShiftedDate().toString() });
