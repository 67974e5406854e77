import { expect, test } from "vitest";
import { isClientOrigin } from "@/lib/model/client-token";

test.each([
  "https://app.example.com",
  "https://app.example.com:8443",
  "http://localhost:5173",
  "http://127.0.0.1:4000",
  "http://[::1]:4000",
])("%s is an origin that a token may name", (text) => expect(isClientOrigin(text)).toBe(true));

test.each([
  "*",
  "null",
  "",
  "https://*.example.com",
  "https://app.example.com/",
  "https://app.example.com/chat",
  "https://APP.example.com",
  "https://app.example.com:443",
  "https://u:p@app.example.com",
  "http://app.example.com",
  "http://localhost.example.com",
  "http://127.0.0.1.example.com",
  "ftp://app.example.com",
  "javascript:alert(1)",
  "https://app.example.com, https://evil.example",
])("%j is none", (text) => expect(isClientOrigin(text)).toBe(false));
