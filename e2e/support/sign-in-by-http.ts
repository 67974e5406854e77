import { freshAddress } from "./fresh-address";

/** Signs in as a browser does, without one. @returns the cookie of the session */
export async function signInByHttp(baseUrl: string, { email, password }: { email: string; password: string }): Promise<string> {
  const from = { "x-forwarded-for": freshAddress() };
  const asked = await fetch(`${baseUrl}/api/auth/csrf`, { headers: from });
  const { csrfToken } = (await asked.json()) as { csrfToken: string }; // next-auth's answer
  const answer = await fetch(`${baseUrl}/api/auth/callback/credentials`, {
    method: "POST",
    redirect: "manual",
    headers: { ...from, cookie: cookiesOf(asked), origin: baseUrl, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ csrfToken, email, password, json: "true" }),
  });
  const session = cookiesOf(answer)
    .split("; ")
    .find((cookie) => cookie.includes("session-token"));
  if (!session) throw new Error(`Signing in was answered with ${answer.status}: ${await answer.text()}`);
  return session;
}

function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}
