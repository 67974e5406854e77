/** The advisory lock of all set-up work on a database ("lathe" in ASCII); Prisma's own is another. */
export const SETUP_LOCK_KEY = 0x6c61746865;
