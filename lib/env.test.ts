import { expect, test } from "vitest";
import { envSchema } from "@/lib/env";

test("an issuer of sign-ins is reached by https, but for one on this machine", () => {
  for (const issuer of [
    "",
    "https://id.example.com",
    "http://localhost:8080/realms/x",
    "http://127.0.0.1:9",
    "http://[::1]:9",
  ])
    expect(envSchema.safeParse({ OIDC_ISSUER: issuer }).success, issuer).toBe(true);
  for (const issuer of [
    "http://id.example.com",
    "HTTP://id.example.com",
    "http://localhost.example.com",
    "http://10.0.0.1",
    "ftp://id.example.com",
  ])
    expect(envSchema.safeParse({ OIDC_ISSUER: issuer }).success, issuer).toBe(false);
});
