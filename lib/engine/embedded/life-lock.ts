import "server-only";

/** The class of the advisory locks by which executors show that they live; the number of the process is the object. */
export const LIFE_LOCK = 0x1a7e;
