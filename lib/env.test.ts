import { expect, test } from "vitest";
import { env, envSchema } from "@/lib/env";
import { createService } from "@/lib/service";

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

test("a process has the named roles, or both; another name is refused in words", () => {
  const roles = (text: string) => envSchema.parse({ LATHE_ROLES: text }).LATHE_ROLES;
  expect(envSchema.parse({}).LATHE_ROLES).toEqual(["web", "worker"]);
  expect(["", " ", "web", "worker", " worker , web "].map(roles)).toEqual([
    ...[["web", "worker"], ["web", "worker"], ["web"], ["worker"]],
    ["worker", "web"],
  ]);
  for (const bad of ["api", "web,api", "WEB", "web worker"]) {
    const { success, error } = envSchema.safeParse({ LATHE_ROLES: bad });
    expect([bad, success, error?.issues[0]?.message]).toEqual([
      bad,
      false,
      'it must be "web", "worker" or "web,worker"',
    ]);
  }
});

test("a bad part of a list is told by the variable's own name", () => {
  const service = createService({ LATHE_ROLES: "web,api" });
  expect(() => service.of(env)).toThrow(
    'The environment variable LATHE_ROLES cannot be used: it must be "web", "worker" or ' +
      '"web,worker"',
  );
});
