const BROWSERS = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;
const SYSTEMS = [
  ["Windows", "Windows"],
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Mac OS X", "macOS"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"],
] as const;

/** What a browser says of itself in a few words, such as “Firefox on Linux”. Others' names stand in it too: the first that fits is the one. */
export function describeUserAgent(userAgent: string): string {
  const [, browser = null] = BROWSERS.find(([sign]) => userAgent.includes(sign)) ?? [];
  const [, system = null] = SYSTEMS.find(([sign]) => userAgent.includes(sign)) ?? [];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? "Unknown browser";
}
