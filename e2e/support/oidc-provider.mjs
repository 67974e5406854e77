import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { createServer } from "node:http";

/**
 * A provider of OpenID Connect for tests: whoever comes is signed in at once as the person set by
 * `PUT /person`.
 * It checks the client, the redirect address and PKCE, and signs RS256. Prints `{"port": …}` when
 * it is ready.
 */
const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const codes = new Map();
let person = {};

const server = createServer(async (request, response) => {
  const url = new URL(request.url, `http://${request.headers.host}`);
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const json = (status, body) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  const body = await readBody(request);
  switch (`${request.method} ${url.pathname}`) {
    case "PUT /person":
      person = JSON.parse(body);
      return json(200, person);
    case "GET /.well-known/openid-configuration":
      return json(200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
      });
    case "GET /jwks":
      return json(200, {
        keys: [{ ...publicKey.export({ format: "jwk" }), kid: "k1", alg: "RS256", use: "sig" }],
      });
    case "GET /authorize": {
      const code = randomBytes(16).toString("hex");
      codes.set(code, { query: Object.fromEntries(url.searchParams), person });
      const back = new URL(url.searchParams.get("redirect_uri"));
      back.searchParams.set("code", code);
      back.searchParams.set("state", url.searchParams.get("state") ?? "");
      return response.writeHead(302, { location: back.href }).end();
    }
    case "POST /token":
      return answerToken(new URLSearchParams(body), request.headers.authorization, issuer, json);
    default:
      return json(404, {});
  }
});

function answerToken(form, authorization, issuer, json) {
  const known = codes.get(form.get("code"));
  codes.delete(form.get("code"));
  const client = `Basic ${Buffer.from("lathe:oidc-secret").toString("base64")}`;
  const challenge = createHash("sha256")
    .update(form.get("code_verifier") ?? "")
    .digest("base64url");
  const fits =
    known?.query.code_challenge === challenge &&
    known.query.redirect_uri === form.get("redirect_uri");
  if (!fits || authorization !== client) return json(400, { error: "invalid_grant" });
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: issuer,
    aud: "lathe",
    iat: now,
    exp: now + 300,
    nonce: known.query.nonce,
    ...known.person,
  };
  return json(200, {
    access_token: randomBytes(8).toString("hex"),
    token_type: "Bearer",
    expires_in: 300,
    id_token: toJwt(claims),
  });
}

function toJwt(claims) {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part({ alg: "RS256", typ: "JWT", kid: "k1" })}.${part(claims)}`;
  return `${signed}.${sign("sha256", Buffer.from(signed), privateKey).toString("base64url")}`;
}

async function readBody(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

server.listen(Number(process.env.OIDC_PROVIDER_PORT ?? 0), "127.0.0.1", () =>
  console.log(JSON.stringify({ port: server.address().port })),
);
if (process.env.OIDC_PROVIDER_UNTIL_STDIN_ENDS)
  process.stdin.resume().on("end", () => process.exit(0));
