/**
 * Tells the process that has started this one (start-child.mjs) which port it has opened.
 * @param {import("node:http").Server} server
 */
export function reportPort(server) {
  const address = server.address();
  if (typeof address === "object" && address !== null) process.send?.({ port: address.port });
}
