import { readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { lintSource } from "@secretlint/core";
import { creator as recommended } from "@secretlint/secretlint-rule-preset-recommend";
import { repositoryFiles } from "./repository-files.mjs";

/**
 * What keys look like that secretlint has no rule for, or knows in today's form alone, by who gives
 * them out.
 */
const KINDS = [
  { kind: "a key of Anthropic or OpenAI", form: /\bsk-(?:ant-|proj-|svcacct-)?[\w-]{32,}/g },
  { kind: "a key of Google", form: /\bAIza[\w-]{35}/g },
  { kind: "a restricted key of Stripe", form: /\brk_live_[0-9A-Za-z]{16,}/g },
  { kind: "a key of this service", form: /\b(?:svc_sk|appapi)_[A-Za-z0-9]{49}\b/g },
  { kind: "the secret of a webhook", form: /\bwhsec_[A-Za-z0-9+/]{24,}=*/g },
  { kind: "a token with claims", form: /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g },
  {
    kind: "an address with a password",
    form: /\b(?:rediss?|amqps?|smtps?):\/\/[^\s:/@"'`$<{]+:[^\s@/"'`$<{…]{12,}@/g,
  },
  {
    kind: "a value that is named a secret",
    form: /(?:secret|token|passw(?:or)?d|api_?key|access_?key)\w*["']?\s*[:=]\s*["'](?=[^"']*\d)(?=[^"']*[A-Za-z])[A-Za-z0-9+/_=-]{24,}["']/gi,
  },
];

/**
 * What looks like one and is none, in files that cannot say so themselves (`secretlint-disable-line
 * -- why`), or in several.
 */
const KNOWN = [
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

/**
 * The forms above as a rule of secretlint's.
 * @type {import("@secretlint/types").SecretLintRuleCreator}
 */
const ours = {
  messages: Object.fromEntries(KINDS.map(({ kind }) => [kind, { en: () => `found ${kind}` }])),
  meta: { id: "lathe", recommended: true, type: "scanner", supportedContentTypes: ["text"] },
  create(context) {
    const translate = context.createTranslator(this.messages);
    return {
      file({ content }) {
        for (const { kind, form } of KINDS)
          for (const { 0: found, index } of content.matchAll(form)) {
            if (KNOWN.some(({ text }) => found.includes(text))) continue;
            const range = /** @type {const} */ ([index, index + found.length]);
            context.report({ message: translate(kind), range });
          }
      },
    };
  },
};

const CONFIG = {
  rules: [
    {
      id: recommended.meta.id,
      rule: recommended,
      // The id of a key without its secret, too.
      rules: [{ id: "@secretlint/secretlint-rule-aws", options: { enableIDScanRule: true } }],
    },
    { id: ours.meta.id, rule: ours },
  ],
};

const BYTES_MAX = 2_000_000;

/**
 * @param {string} file
 * @param {string} content
 * @returns {Promise<string[]>} a line for each key, without the key
 */
export async function secretsIn(file, content) {
  const { messages } = await lintSource({
    source: { filePath: file, content, ext: extname(file), contentType: "text" },
    options: { config: CONFIG, maskSecrets: true },
  });
  return messages.map(({ loc, message }) => `${file}:${loc.start.line}: ${message}`);
}

/**
 * Every file that git has or would take.
 * @param {string} root
 * @returns {Promise<string[]>} a line for each key, without the key
 */
export async function findSecrets(root) {
  const found = [];
  for (const file of repositoryFiles(root)) {
    const path = join(root, file);
    const { size } = statSync(path);
    if (size > 0 && size <= BYTES_MAX)
      found.push(...(await secretsIn(file, readFileSync(path, "utf8"))));
  }
  return found;
}
