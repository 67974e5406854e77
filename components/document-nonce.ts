/**
 * The nonce of the policy that this document came with, for what adds styles later on; empty on the server. It is read from the document, since a
 * route that is rendered again (a refresh) comes with a nonce of its own, which this document's policy does not know.
 */
export function documentNonce(): string {
  return typeof document === "undefined" ? "" : (document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "");
}
