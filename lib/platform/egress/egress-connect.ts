import "server-only";
import { connect, type Socket } from "node:net";

/** Opens a TCP connection to one of these addresses, all of them checked, and to nothing else. */
export type EgressConnect = (target: { addresses: string[]; port: number }) => Socket;

/** The real connection: tries the addresses in turn (both families, as browsers do), without asking any resolver again. */
export const connectToChecked: EgressConnect = ({ addresses, port }) => {
  const [first, ...others] = addresses;
  if (first === undefined) throw new TypeError("a connection needs an address");
  if (others.length === 0) return connect({ host: first, port });
  const answers = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  return connect({
    // A name, so that Node asks this lookup, whose answer is already fixed; the name itself is never resolved.
    host: "checked.invalid",
    port,
    autoSelectFamily: true,
    lookup: (_name, _options, done) => done(null, answers),
  });
};
