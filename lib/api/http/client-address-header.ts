import "server-only";

/** The client's address, stamped by the listener (see `stamp-client-address.ts`); a header that a client sent never reaches this. */
export const CLIENT_ADDRESS_HEADER = "x-lathe-client-address";
