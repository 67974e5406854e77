import "server-only";
import { env } from "@/lib/env";
import { readSignedText, signText } from "@/lib/platform/crypto/sign-text";
import { configuredBaseUrl } from "@/lib/platform/public-base-url";

/**
 * What this service has a browser keep beside the session, each for so many seconds. None of them
 * opens anything by itself.
 */
const COOKIES = {
  /**
   * The sign-up that was asked for in this browser: where its address is proven here too, its
   * password is the owner's own.
   */
  "lathe.sign-up": 24 * 3600,
  /**
   * Who has signed in here before: wrong passwords of others behind the same address do not keep
   * them out.
   */
  "lathe.device": 180 * 24 * 3600,
  /**
   * The keys of the sign-ins at MCP servers that somebody's end user has begun in this browser: no
   * other one ends them.
   */
  "lathe.connect": 600,
} as const;
type CookieName = keyof typeof COOKIES;

/** A cookie's value, and how a browser is to keep it. */
export function signedCookie(name: CookieName, text: string) {
  const maxAge = COOKIES[name];
  const value = signText(text, {
    secret: env().SIGNING_SECRET,
    purpose: name,
    expiresInSeconds: maxAge,
  });
  const secure = configuredBaseUrl()?.startsWith("https:") ?? false;
  return { name, value, maxAge, secure, httpOnly: true, sameSite: "lax", path: "/" } as const;
}

/** As the value of `Set-Cookie`. */
export function toSetCookie({
  name,
  value,
  maxAge,
  secure,
}: ReturnType<typeof signedCookie>): string {
  return (
    `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; ` +
    `SameSite=Lax${secure ? "; Secure" : ""}`
  );
}

/**
 * What this service had the browser keep under the name; null for nothing, and for what it did not
 * write.
 */
export function readSignedCookie(cookies: string | null, name: CookieName): string | null {
  for (const cookie of cookies?.split(";") ?? []) {
    const [key, value] = cookie.trim().split("=", 2);
    if (key === name && value !== undefined)
      return readSignedText(value, { secret: env().SIGNING_SECRET, purpose: name });
  }
  return null;
}

const DEVICE_USERS_MAX = 8;

/** The users who have signed in in this browser, the last one first. */
export function usersOfDevice(cookies: string | null): string[] {
  return readSignedCookie(cookies, "lathe.device")?.split(",") ?? [];
}

/** The cookie of a browser in which this user signs in now. */
export function deviceCookie(cookies: string | null, userId: string) {
  const users = [userId, ...usersOfDevice(cookies).filter((id) => id !== userId)].slice(
    0,
    DEVICE_USERS_MAX,
  );
  return signedCookie("lathe.device", users.join(","));
}
