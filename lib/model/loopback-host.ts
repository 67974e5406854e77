/**
 * Whether a host, as `URL.hostname` gives it, is this machine under a name or an address that can
 * mean nothing else.
 */
export function isLoopbackHost(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/i.test(hostname);
}
