import { expect, test } from "vitest";
import { answerAuth } from "@/lib/api/console/answer-auth";

const ACTIONS = ["callback/credentials", "signin/github", "signout", "session"];
const post = (action: string, origin: string) =>
  answerAuth(new Request(`http://localhost:3000/api/auth/${action}`, { method: "POST", headers: { host: "localhost:3000", origin } }), {});

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
