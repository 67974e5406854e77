import { expect, test } from "vitest";
import { answerAuth } from "@/lib/api/console/auth-options";

const ACTIONS = ["callback/credentials", "signin/github", "signout", "session"];
const post = (action: string, origin: string) =>
  answerAuth(new Request(`http://localhost:3000/api/auth/${action}`, { method: "POST", headers: { host: "localhost:3000", origin } }), {});

test("what is no browser posts without an Origin, and looking is open to every page: only next-auth decides about them", async () => {
  const url = "http://localhost:3000/api/auth/session";
  const posted = await answerAuth(new Request(url, { method: "POST", headers: { host: "localhost:3000" } }), {});
  const looked = await answerAuth(new Request(url, { headers: { host: "localhost:3000", origin: "http://evil.example" } }), {});
  for (const { status } of [posted, looked]) expect(status).not.toBe(401);
});

test.each(ACTIONS)("another site's page reaches nothing of next-auth's %s, whatever token and cookie it sends", async (action) => {
  for (const origin of ["null", "http://evil.example", "https://localhost:3000", "http://localhost:3001"]) {
    const response = await post(action, origin);
    expect(response.status, origin).toBe(401);
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(await response.json()).toMatchObject({
      error: "AUTHENTICATION_REQUIRED",
      url: expect.stringMatching(/^http:\/\/localhost:\d+\/sign-in\?error=ForeignOrigin$/),
    });
  }
});
