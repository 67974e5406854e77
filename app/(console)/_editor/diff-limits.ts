/** Bounds what a comparison in the browser may cost; beyond it texts are told apart less finely. Milliseconds. */
export const DIFF_LIMITS = { scanLimit: 1_000, timeout: 300 };
