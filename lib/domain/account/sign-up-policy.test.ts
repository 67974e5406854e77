import { afterEach, expect, test } from "vitest";
import { openWithoutProof, signUpPolicy } from "@/lib/domain/account/sign-up";
import { type Env, env, envSchema } from "@/lib/env";

const before = { ...env() };
afterEach(() => void Object.assign(env(), before));
const settings = (wanted: Partial<Env>) => void Object.assign(env(), before, wanted);

test("all may sign up where only this machine reaches it, else the invited, unless set", () => {
  for (const HOST of ["", "127.0.0.1", "127.1.2.3", "localhost", "::1", "[::1]"]) {
    settings({ HOST, SIGN_UP: "" });
    expect(signUpPolicy(), HOST).toBe("open");
  }
  for (const HOST of [
    "0.0.0.0",
    "::",
    "192.168.1.5",
    "lathe.internal",
    "localhost.example.com",
    "fd00::1",
  ]) {
    settings({ HOST, SIGN_UP: "" });
    expect(signUpPolicy(), HOST).toBe("invite");
    settings({ HOST, SIGN_UP: "open" });
    expect(signUpPolicy(), HOST).toBe("open");
  }
  expect(envSchema.parse({}).SIGN_UP).toBe("");
});

test("an open sign-up that strangers reach without mail is told, nothing else", () => {
  const open = {
    HOST: "0.0.0.0",
    SIGN_UP: "open",
    SMTP_URL: "",
    MAIL_FROM: "",
    PUBLIC_URL: "",
    NEXTAUTH_URL: "",
  } as const;
  settings(open);
  expect(openWithoutProof()).toMatch(/^Everybody who reaches this service .*SIGN_UP=invite\.$/);
  settings({ ...open, HOST: "127.0.0.1", PUBLIC_URL: "https://lathe.example.com" });
  expect(openWithoutProof()).not.toBeNull();
  for (const safe of [
    { HOST: "127.0.0.1" },
    { SIGN_UP: "" },
    { SIGN_UP: "closed" },
    { SMTP_URL: "smtp://mail.example.com", MAIL_FROM: "a@example.com" },
  ] as const) {
    settings({ ...open, ...safe });
    expect(openWithoutProof(), JSON.stringify(safe)).toBeNull();
  }
});
