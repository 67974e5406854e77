import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** What keys look like, by who gives them out. */
const KINDS = [
  { kind: "a private key", form: /-----BEGIN [A-Z ]*PRIVATE KEY/g },
  { kind: "an AWS key", form: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g },
  { kind: "a GitHub token", form: /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{40,})/g },
  { kind: "a GitLab token", form: /\bglpat-[A-Za-z0-9_-]{20,}/g },
  { kind: "an npm token", form: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { kind: "an Anthropic key", form: /\bsk-ant-[A-Za-z0-9_-]{20,}/g },
  { kind: "an OpenAI key", form: /\bsk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{32,}/g },
  { kind: "a Google key", form: /\bAIza[0-9A-Za-z_-]{35}/g },
  { kind: "a Slack token", form: /\bxox[abprs]-[0-9A-Za-z-]{10,}/g },
  { kind: "a Stripe key", form: /\b[sr]k_live_[0-9A-Za-z]{16,}/g },
  { kind: "a key of this service", form: /\b(?:svc_sk|appapi)_[A-Za-z0-9]{49}\b/g },
  { kind: "a webhook's secret", form: /\bwhsec_[A-Za-z0-9+/]{24,}=*/g },
  {
    kind: "a token with claims",
    form: /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g,
  },
  {
    kind: "an address with a password",
    form: /\b(?:postgres(?:ql)?|rediss?|mongodb(?:\+srv)?|amqps?|smtps?):\/\/[^\s:/@"'`$<{]+:[^\s@/"'`$<{…]{12,}@/g,
  },
  {
    kind: "a value that is named a secret",
    form: /(?:secret|token|passw(?:or)?d|api_?key|access_?key)\w*["']?\s*[:=]\s*["'](?=[^"']*\d)(?=[^"']*[A-Za-z])[A-Za-z0-9+/_=-]{24,}["']/gi,
  },
];

/** What looks like one and is none: each by file and with the reason. */
const KNOWN = [
  {
    file: "e2e/support/s3/check-signature.spec.ts",
    why: "of Amazon's examples of signed requests, which the S3 of the tests has to accept",
  },
  {
    file: "lib/platform/egress/test-certificate.ts",
    why: "of a certificate for 127.0.0.1 that tests alone trust",
  },
  {
    text: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    why: "the example in the specification of Standard Webhooks, and one like it in the document",
  },
  {
    text: "sk-obeyed-0123456789abcdef",
    why: "what tests let a model that obeys everything try to send away",
  },
  {
    text: "appapi_0000000000000000000000000000000000000000000000000",
    why: "of zeros: a test sends a key that is none",
  },
];

const BYTES_MAX = 2_000_000;

/**
 * @param {string} file
 * @param {string} text
 * @returns {string[]} a line for each key, without the key
 */
export function secretsIn(file, text) {
  if (KNOWN.some((known) => known.file === file)) return [];
  return KINDS.flatMap(({ kind, form }) =>
    [...text.matchAll(form)]
      .filter(([found]) => !KNOWN.some((known) => known.text && found.includes(known.text)))
      .map(({ index }) => `${file}:${text.slice(0, index).split("\n").length}: ${kind}`),
  );
}

/**
 * Every file that git has or would take.
 * @param {string} root
 */
export function findSecrets(root) {
  const files = execFileSync(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 2 ** 26,
    },
  );
  return files
    .split("\0")
    .filter(Boolean)
    .flatMap((file) => {
      const path = join(root, file);
      const { size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
      if (size === 0 || size > BYTES_MAX) return [];
      return secretsIn(file, readFileSync(path, "utf8"));
    });
}
