import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { S3Error } from "./s3-error";

/** A request as it came in, before its body was read. */
export interface SignedRequest {
  method: string;
  /** Path and query as they stand in the request's first line. */
  target: string;
  /** By their names in lower case. */
  headers: Record<string, string | undefined>;
}

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
}

const ALGORITHM = "AWS4-HMAC-SHA256";
const SKEW_MS = 15 * 60_000;
const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^,\s]+),\s*SignedHeaders=([^,\s]+),\s*Signature=([0-9a-f]{64})$/;

/**
 * Checks a request's `Authorization` after AWS Signature Version 4, its payload in one piece
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html), and returns the
 * SHA-256 that it states of its body, in hex: whoever reads the body compares.
 * @throws {S3Error} as S3 refuses it.
 */
export function checkSignature(
  request: SignedRequest,
  { accessKeyId, secretAccessKey, region }: Credentials,
  now: Date,
): string {
  const { authorization } = request.headers;
  if (authorization === undefined) throw new S3Error("AccessDenied", "Access Denied");
  const [, credential = "", names = "", signature = ""] = AUTHORIZATION.exec(authorization) ?? [];
  const [keyId = "", day = "", scopeRegion, service, end, ...more] = credential.split("/");
  if (scopeRegion !== region || service !== "s3" || end !== "aws4_request" || more.length > 0)
    throw new S3Error(
      "AuthorizationHeaderMalformed",
      `The authorization header is malformed; expecting KEY/DAY/${region}/s3/aws4_request.`,
    );
  if (keyId !== accessKeyId)
    throw new S3Error("InvalidAccessKeyId", "The access key ID is not in our records.");
  const moment = requireMoment(request.headers["x-amz-date"], day, now);
  const signed = requireSignedHeaders(request.headers, names);
  const payload = request.headers["x-amz-content-sha256"] ?? "";
  // Chunked payloads (STREAMING-…) and UNSIGNED-PAYLOAD are S3's too; the service sends neither.
  if (!/^[0-9a-f]{64}$/.test(payload))
    throw new S3Error("NotImplemented", `The payload "${payload}" is not implemented.`);
  const canonical = canonicalRequest(request, signed, payload);
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = [ALGORITHM, moment, scope, sha256(canonical)].join("\n");
  const key = [day, region, "s3", "aws4_request"].reduce<string | Buffer>(
    (secret, part) => createHmac("sha256", secret).update(part).digest(),
    `AWS4${secretAccessKey}`,
  );
  const expected = createHmac("sha256", key).update(text).digest();
  if (!timingSafeEqual(expected, Buffer.from(signature, "hex")))
    throw new S3Error(
      "SignatureDoesNotMatch",
      "The request signature we calculated does not match the signature you provided.",
    );
  return payload;
}

function requireMoment(moment: string | undefined, day: string, now: Date): string {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(moment ?? "");
  if (moment === undefined || parts === null || !moment.startsWith(day))
    throw new S3Error("AccessDenied", "AWS authentication requires a valid x-amz-date header.");
  const [, year, month, date, hour, minute, second] = parts.map(Number);
  const at = Date.UTC(year ?? 0, (month ?? 0) - 1, date ?? 0, hour ?? 0, minute ?? 0, second ?? 0);
  if (Math.abs(now.getTime() - at) > SKEW_MS)
    throw new S3Error(
      "RequestTimeTooSkewed",
      "The difference between the request time and the current time is too large.",
    );
  return moment;
}

/** The names that were signed: `host` and each `x-amz-…` header have to be among them. */
function requireSignedHeaders(headers: SignedRequest["headers"], names: string): string[] {
  const signed = names.split(";");
  const needed = ["host", ...Object.keys(headers).filter((name) => name.startsWith("x-amz-"))];
  const missing = needed.filter((name) => !signed.includes(name));
  if (missing.length > 0)
    throw new S3Error(
      "AccessDenied",
      `There were headers present in the request which were not signed: ${missing.join(", ")}`,
    );
  return signed;
}

function canonicalRequest(
  { method, target, headers }: SignedRequest,
  signed: string[],
  payload: string,
): string {
  const [path = "", query = ""] = target.split(/\?(.*)/s);
  return [
    method,
    path.split("/").map(reencode).join("/"),
    canonicalQuery(query),
    ...signed.map((name) => `${name}:${(headers[name] ?? "").trim().replace(/ +/g, " ")}`),
    "",
    signed.join(";"),
    payload,
  ].join("\n");
}

function canonicalQuery(query: string): string {
  const parameters = query.split("&").filter(Boolean);
  // By name and then by value: "a=" goes before "a-b=", which as whole texts it would not.
  return parameters
    .map((parameter) => {
      const [name = "", value = ""] = parameter.split(/=(.*)/s);
      return { name: reencode(name), value: reencode(value) };
    })
    .sort((a, b) => compare(a.name, b.name) || compare(a.value, b.value))
    .map(({ name, value }) => `${name}=${value}`)
    .join("&");
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Percent-encoded as the signature has it: all but letters, digits, `-`, `.`, `_` and `~`. */
function reencode(text: string): string {
  return encodeURIComponent(decodePart(text)).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * A part of a path or a query, without its percent signs.
 * @throws {S3Error} `InvalidURI`.
 */
export function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error("InvalidURI", "Couldn't parse the specified URI.");
  }
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
