import { expect, test } from "@playwright/test";
import { checkSignature, type SignedRequest } from "./check-signature";

// Key, requests and signatures are those of the examples in Amazon's documentation:
// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
// secretlint-disable -- which opens nothing
const CREDENTIALS = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  region: "us-east-1",
};
const NOW = new Date("2013-05-24T00:00:00Z");
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const GREETING = "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072";

function example(
  method: string,
  target: string,
  signature: string,
  more: Record<string, string> = {},
): SignedRequest {
  const headers: Record<string, string> = {
    host: "examplebucket.s3.amazonaws.com",
    "x-amz-content-sha256": EMPTY,
    "x-amz-date": "20130524T000000Z",
    ...more,
  };
  const names = Object.keys(headers).sort().join(";");
  const scope = `${CREDENTIALS.accessKeyId}/20130524/us-east-1/s3/aws4_request`;
  const parts = `Credential=${scope},SignedHeaders=${names},Signature=${signature}`;
  headers.authorization = `AWS4-HMAC-SHA256 ${parts}`;
  return { method, target, headers };
}

const GET = example(
  "GET",
  "/test.txt",
  "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  { range: "bytes=0-9" },
);
const PUT = example(
  "PUT",
  "/test%24file.text",
  "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
  {
    date: "Fri, 24 May 2013 00:00:00 GMT",
    "x-amz-content-sha256": GREETING,
    "x-amz-storage-class": "REDUCED_REDUNDANCY",
  },
);
const LIFECYCLE = example(
  "GET",
  "/?lifecycle",
  "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
);
const LIST = example(
  "GET",
  "/?prefix=J&max-keys=2",
  "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
);

const check = (request: SignedRequest, now = NOW) => checkSignature(request, CREDENTIALS, now);
const withHeaders = (headers: SignedRequest["headers"]) => ({
  ...GET,
  headers: { ...GET.headers, ...headers },
});

test("the signatures of Amazon's examples are right", () => {
  expect([GET, PUT, LIFECYCLE, LIST].map((request) => check(request))).toEqual([
    EMPTY,
    GREETING,
    EMPTY,
    EMPTY,
  ]);
});

test("a request that is another one than was signed has a wrong signature", () => {
  const changed: SignedRequest[] = [
    { ...GET, method: "HEAD" },
    { ...GET, target: "/test.tx" },
    { ...GET, target: "/test.txt?versionId=1" },
    { ...LIST, target: "/?max-keys=3&prefix=J" },
    withHeaders({ range: "bytes=0-8" }),
    withHeaders({ host: "otherbucket.s3.amazonaws.com" }),
    withHeaders({ "x-amz-content-sha256": GREETING }),
    withHeaders({ "x-amz-date": "20130524T000001Z" }),
  ];
  for (const request of changed)
    expect(() => check(request), JSON.stringify(request)).toThrow(
      expect.objectContaining({ code: "SignatureDoesNotMatch" }),
    );
  expect(() => checkSignature(GET, { ...CREDENTIALS, secretAccessKey: "other" }, NOW)).toThrow(
    expect.objectContaining({ code: "SignatureDoesNotMatch" }),
  );
});

test("unsigned, by another key, for another place or time, is refused in S3's words", () => {
  const other = (from: string, to: string) =>
    withHeaders({ authorization: GET.headers.authorization?.replace(from, to) });
  const late = new Date(NOW.getTime() + 15 * 60_000 + 1);
  const refusals: [string, SignedRequest, Date?][] = [
    ["AccessDenied", withHeaders({ authorization: undefined })],
    ["AuthorizationHeaderMalformed", withHeaders({ authorization: "Bearer key" })],
    ["AuthorizationHeaderMalformed", other("us-east-1", "eu-west-1")],
    ["AuthorizationHeaderMalformed", other("/s3/", "/sqs/")],
    ["InvalidAccessKeyId", other("AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN8EXAMPLE")],
    ["AccessDenied", withHeaders({ "x-amz-acl": "public-read" })],
    ["AccessDenied", other("host;", "")],
    ["AccessDenied", withHeaders({ "x-amz-date": undefined })],
    ["AccessDenied", other("/20130524/", "/20130523/")],
    ["RequestTimeTooSkewed", GET, late],
    ["NotImplemented", withHeaders({ "x-amz-content-sha256": "UNSIGNED-PAYLOAD" })],
    ["InvalidURI", { ...GET, target: "/%" }],
  ];
  for (const [code, request, now] of refusals)
    expect(() => check(request, now), code).toThrow(expect.objectContaining({ code }));
  expect(check(GET, new Date(NOW.getTime() + 15 * 60_000))).toBe(EMPTY);
});
