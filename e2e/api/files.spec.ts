import { createHash, randomBytes } from "node:crypto";
import { request as httpRequest } from "node:http";
import type { ApiClient } from "../support/api-client";
import { expectError } from "../support/expect-answers";
import { expect, test } from "../support/test";

const FILE_MAX_BYTES = Number(process.env.E2E_FILE_MAX_BYTES ?? 0);
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

async function newWorkspace(api: ApiClient): Promise<string> {
  return (await api.post("/v1/workspaces", { name: "files" })).as("Workspace").workspace_id;
}

function upload(
  api: ApiClient,
  workspace: string,
  path: string,
  bytes: string | Uint8Array<ArrayBuffer>,
  type = "text/plain",
) {
  return api.post(`/v1/workspaces/${workspace}/files`, undefined, {
    raw: bytes,
    query: { path },
    headers: { "content-type": type },
  });
}

function form(name: string, bytes: Uint8Array<ArrayBuffer>, type: string, path?: string): FormData {
  const data = new FormData();
  if (path !== undefined) data.set("path", path);
  data.set("file", new Blob([bytes], { type }), name);
  return data;
}

test("a raw upload comes back byte for byte by its path, as a download", async ({ api }) => {
  const workspace = await newWorkspace(api);
  const bytes = new Uint8Array(randomBytes(70_000));
  const response = await upload(
    api,
    workspace,
    "reports/2026/data.bin",
    bytes,
    "application/octet-stream",
  );
  expect(response.status).toBe(201);
  const file = response.as("WorkspaceFile");
  expect(file).toMatchObject({
    path: "reports/2026/data.bin",
    name: "data.bin",
    size_bytes: 70_000,
    content_type: "application/octet-stream",
    sha256: sha256(bytes),
  });
  const content = await api.get(`/v1/workspaces/${workspace}/files/${file.file_id}/content`);
  expect([content.status, sha256(content.bytes)]).toEqual([200, sha256(bytes)]);
  expect(content.header("content-disposition")).toMatch(/^attachment;.*data\.bin/);
  expect(content.header("x-content-type-options")).toBe("nosniff");
  expect(content.header("etag")).toBeTruthy();
});

test("a multipart upload takes its path from the form, or else from the file's name", async ({
  api,
}) => {
  const workspace = await newWorkspace(api);
  const bytes = new TextEncoder().encode("a,b\n1,2\n");
  const named = await api.post(`/v1/workspaces/${workspace}/files`, undefined, {
    raw: form("numbers.csv", bytes, "text/csv"),
  });
  expect(named.status).toBe(201);
  expect(named.as("WorkspaceFile")).toMatchObject({
    path: "numbers.csv",
    name: "numbers.csv",
    size_bytes: 8,
    content_type: "text/csv",
    sha256: sha256(bytes),
  });
  const placed = await api.post(`/v1/workspaces/${workspace}/files`, undefined, {
    raw: form("numbers.csv", bytes, "text/csv", "in/a folder/größe.csv"),
  });
  expect(placed.as("WorkspaceFile")).toMatchObject({
    path: "in/a folder/größe.csv",
    name: "größe.csv",
  });
});

test("an upload of many megabytes arrives whole", async ({ api }) => {
  const workspace = await newWorkspace(api);
  const bytes = new Uint8Array(randomBytes(12_000_000));
  expect((await upload(api, workspace, "big.bin", bytes)).as("WorkspaceFile")).toMatchObject({
    size_bytes: 12_000_000,
    sha256: sha256(bytes),
  });
});

test("a file of the limit is stored, a byte more is refused and leaves nothing, both ways", async ({
  api,
}) => {
  expect(FILE_MAX_BYTES).toBeGreaterThan(0);
  const workspace = await newWorkspace(api);
  const most = new Uint8Array(FILE_MAX_BYTES);
  const tooMuch = new Uint8Array(FILE_MAX_BYTES + 1);
  expect((await upload(api, workspace, "most.bin", most)).status).toBe(201);
  expectError(await upload(api, workspace, "raw.bin", tooMuch), 413, "PAYLOAD_TOO_LARGE");
  const multipart = await api.post(`/v1/workspaces/${workspace}/files`, undefined, {
    raw: form("form.bin", tooMuch, "application/octet-stream"),
  });
  expectError(multipart, 413, "PAYLOAD_TOO_LARGE");
  expect(
    (await api.get(`/v1/workspaces/${workspace}/files`))
      .as("WorkspaceFilePage")
      .data.map((file) => file.path),
  ).toEqual(["most.bin"]);
});

test("an upload to the same path replaces the file and answers 200", async ({ api }) => {
  const workspace = await newWorkspace(api);
  expect((await upload(api, workspace, "a.txt", "first")).status).toBe(201);
  const second = await upload(api, workspace, "a.txt", "second");
  expect(second.status).toBe(200);
  const rows = (await api.get(`/v1/workspaces/${workspace}/files`)).as("WorkspaceFilePage").data;
  expect(rows).toHaveLength(1);
  expect(
    (await api.get(`/v1/workspaces/${workspace}/files/${rows[0]?.file_id}/content`)).text,
  ).toBe("second");
});

test("ten uploads at once to one path leave one file that is wholly one of them", async ({
  api,
}) => {
  const workspace = await newWorkspace(api);
  const texts = Array.from({ length: 10 }, (_, index) => `${index}`.repeat(50_000));
  const answers = await Promise.all(texts.map((text) => upload(api, workspace, "race.txt", text)));
  for (const answer of answers) expect([200, 201]).toContain(answer.status);
  const rows = (await api.get(`/v1/workspaces/${workspace}/files`)).as("WorkspaceFilePage").data;
  expect(rows).toHaveLength(1);
  const content = await api.get(`/v1/workspaces/${workspace}/files/${rows[0]?.file_id}/content`);
  expect(texts).toContain(content.text);
  expect(sha256(content.bytes)).toBe(rows[0]?.sha256);
});

test("the list filters by prefix, literally", async ({ api }) => {
  const workspace = await newWorkspace(api);
  for (const path of ["a/1.txt", "a/2.txt", "ab.txt", "100%/x.txt", "100x/x.txt"])
    await upload(api, workspace, path, "x");
  const find = async (prefix: string) =>
    (await api.get(`/v1/workspaces/${workspace}/files`, { query: { prefix } }))
      .as("WorkspaceFilePage")
      .data.map((file) => file.path)
      .sort();
  expect(await find("a/")).toEqual(["a/1.txt", "a/2.txt"]);
  expect(await find("100%")).toEqual(["100%/x.txt"]);
  expect(await find("nothing")).toEqual([]);
});

test("a path is relative, without climbing dots and without NUL, and at most 1,024 bytes", async ({
  api,
}) => {
  const workspace = await newWorkspace(api);
  for (const path of [
    "x".repeat(200),
    `${"ü".repeat(100)}/`.repeat(5).padEnd(1024 - 5 * 100, "x"),
    "a..b/c...d.txt",
    ".hidden",
  ]) {
    expect([path.slice(0, 30), (await upload(api, workspace, path, "x")).status]).toEqual([
      path.slice(0, 30),
      201,
    ]);
  }
  const refused = [
    "",
    "/abs.txt",
    "../up.txt",
    "a/../../up.txt",
    "a/..",
    "..",
    "a\u0000b",
    `${"x/".repeat(512)}x`,
    `${"ü".repeat(512)}x`,
  ];
  for (const path of refused) {
    const response = await upload(api, workspace, path, "x");
    expect([path.slice(0, 30), response.status]).toEqual([path.slice(0, 30), 400]);
    expectError(response, 400, "INVALID_INPUT", "path");
  }
});

test("a raw upload without a path, and a form without a file or with two, are refused", async ({
  api,
}) => {
  const workspace = await newWorkspace(api);
  const place = `/v1/workspaces/${workspace}/files`;
  expectError(
    await api.post(place, undefined, { raw: "x", headers: { "content-type": "text/plain" } }),
    400,
    "INVALID_INPUT",
    "path",
  );
  const empty = new FormData();
  empty.set("path", "a.txt");
  expectError(await api.post(place, undefined, { raw: empty }), 400, "INVALID_INPUT");
  const two = form("a.txt", new TextEncoder().encode("a"), "text/plain");
  two.append("file", new Blob(["b"]), "b.txt");
  expectError(await api.post(place, undefined, { raw: two }), 400, "INVALID_INPUT");
  const broken = {
    raw: "--x\r\nnonsense",
    headers: { "content-type": "multipart/form-data; boundary=x" },
  };
  expectError(await api.post(place, undefined, broken), 400, "INVALID_INPUT");
  expect((await api.get(place)).as("WorkspaceFilePage").data).toEqual([]);
});

test("an upload that breaks off leaves nothing", async ({ account, api }) => {
  const workspace = await newWorkspace(api);
  const url = new URL(`/v1/workspaces/${workspace}/files?path=broken.bin`, api.baseUrl);
  const headers = {
    authorization: `Bearer ${account.apiKey}`,
    "content-type": "application/octet-stream",
    "content-length": "1000000",
  };
  await new Promise<void>((resolve) => {
    const request = httpRequest(url, { method: "POST", headers });
    request.on("error", () => resolve());
    request.on("close", () => resolve());
    request.write(Buffer.alloc(300_000), () => request.destroy());
  });
  await upload(api, workspace, "after.txt", "x");
  expect(
    (await api.get(`/v1/workspaces/${workspace}/files`))
      .as("WorkspaceFilePage")
      .data.map((file) => file.path),
  ).toEqual(["after.txt"]);
});

test("names that could break a header come back as harmless downloads", async ({ api }) => {
  const workspace = await newWorkspace(api);
  for (const path of [
    'quo"te.txt',
    "semi;colon.txt",
    "new\r\nSet-Cookie: a=b.txt",
    "<script>.html",
    "日本語.txt",
  ]) {
    const response = await upload(api, workspace, path, "<script>alert(1)</script>", "text/html");
    if (response.status === 400) continue; // control characters may be refused outright
    const content = await api.get(
      `/v1/workspaces/${workspace}/files/${response.as("WorkspaceFile").file_id}/content`,
    );
    expect(content.header("content-disposition")).toMatch(/^attachment/);
    expect(content.header("set-cookie")).toBeNull();
    expect(content.header("x-content-type-options")).toBe("nosniff");
  }
});

test("a range answers 206 and its bytes, one outside 416 and the size, others the whole", async ({
  api,
}) => {
  const workspace = await newWorkspace(api);
  const { file_id } = (await upload(api, workspace, "range.txt", "0123456789")).as("WorkspaceFile");
  const read = (headers: Record<string, string>) =>
    api.get(`/v1/workspaces/${workspace}/files/${file_id}/content`, { headers });
  for (const [range, bytes, text] of [
    ["bytes=0-0", "0-0", "0"],
    ["bytes=3-5", "3-5", "345"],
    ["bytes=9-", "9-9", "9"],
    ["bytes=5-99999999999999999999", "5-9", "56789"],
    ["bytes=-3", "7-9", "789"],
    ["bytes=-100", "0-9", "0123456789"],
  ] as const) {
    const part = await read({ range });
    expect([range, part.status, part.header("content-range"), part.text]).toEqual([
      range,
      206,
      `bytes ${bytes}/10`,
      text,
    ]);
    expect(part.header("content-length")).toBe(String(text.length));
  }
  for (const range of ["bytes=10-", "bytes=10-20", "bytes=-0"]) {
    const outside = await read({ range });
    expectError(outside, 416, "RANGE_NOT_SATISFIABLE");
    expect(outside.header("content-range")).toBe("bytes */10");
  }
  for (const range of ["bytes=0-1,4-5", "lines=1-2", "bytes=5-3", "bytes=a-b", "nonsense"]) {
    const whole = await read({ range });
    expect([range, whole.status, whole.text]).toEqual([range, 200, "0123456789"]);
  }
  expectError(
    await read({ range: "bytes=1-2", authorization: "Bearer nonsense" }),
    401,
    "AUTHENTICATION_REQUIRED",
  );
});

test("an ETag spares a download that has not changed, and a range of bytes that have", async ({
  api,
}) => {
  const workspace = await newWorkspace(api);
  const { file_id } = (await upload(api, workspace, "a.txt", "first")).as("WorkspaceFile");
  const read = (headers: Record<string, string> = {}) =>
    api.get(`/v1/workspaces/${workspace}/files/${file_id}/content`, { headers });
  const etag = String((await read()).header("etag"));
  for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
    const unchanged = await read({ "if-none-match": tag });
    expect([unchanged.status, unchanged.text, unchanged.header("etag")]).toEqual([304, "", etag]);
  }
  expect((await read({ "if-none-match": '"other"' })).status).toBe(200);
  expect((await read({ "if-range": etag, range: "bytes=0-1" })).status).toBe(206);
  const place = `/v1/workspaces/${workspace}/files`;
  expect((await upload(api, workspace, "a.txt", "second")).status).toBe(200);
  const [now] = (await api.get(place)).as("WorkspaceFilePage").data;
  const changed = (headers: Record<string, string>) =>
    api.get(`${place}/${now?.file_id}/content`, { headers });
  expect((await changed({ "if-none-match": etag })).text).toBe("second");
  const whole = await changed({ "if-range": etag, range: "bytes=0-1" });
  expect([whole.status, whole.text]).toEqual([200, "second"]);
});

test("HEAD says what a download would, without its bytes", async ({ api }) => {
  const workspace = await newWorkspace(api);
  const { file_id } = (await upload(api, workspace, "a.txt", "some text")).as("WorkspaceFile");
  const path = `/v1/workspaces/${workspace}/files/${file_id}/content`;
  const [head, whole] = [await api.request("HEAD", path), await api.get(path)];
  expect([head.status, head.text]).toEqual([200, ""]);
  for (const name of ["content-length", "content-type", "etag", "content-disposition"])
    expect(head.header(name)).toBe(whole.header(name));
});

test("a deleted file is gone from list, record and content, and its path is free", async ({
  api,
}) => {
  const workspace = await newWorkspace(api);
  const place = `/v1/workspaces/${workspace}/files`;
  const file = (await upload(api, workspace, "a.txt", "x")).as("WorkspaceFile");
  expect((await api.get(`${place}/${file.file_id}`)).as("WorkspaceFile")).toEqual(file);
  const deleted = await api.delete(`${place}/${file.file_id}`);
  expect([deleted.status, deleted.text]).toEqual([204, ""]);
  for (const path of [`${place}/${file.file_id}`, `${place}/${file.file_id}/content`])
    expectError(await api.get(path), 404, "FILE_NOT_FOUND");
  expectError(await api.delete(`${place}/${file.file_id}`), 404, "FILE_NOT_FOUND");
  expect((await api.get(place)).as("WorkspaceFilePage").data).toEqual([]);
  expect((await upload(api, workspace, "a.txt", "y")).status).toBe(201);
});

test("a deleted workspace is gone with its files; agents and other workspaces stay", async ({
  api,
  sharedAgent,
}) => {
  const [workspace, other] = [await newWorkspace(api), await newWorkspace(api)];
  const { file_id } = (await upload(api, workspace, "a.txt", "x")).as("WorkspaceFile");
  const kept = (await upload(api, other, "a.txt", "kept")).as("WorkspaceFile");
  await api.put(`/v1/workspaces/${workspace}/agents/${sharedAgent.agent_id}`);
  const deleted = await api.delete(`/v1/workspaces/${workspace}`);
  expect([deleted.status, deleted.text]).toEqual([204, ""]);
  for (const path of ["", "/files", "/agents", `/files/${file_id}`, `/files/${file_id}/content`])
    expectError(await api.get(`/v1/workspaces/${workspace}${path}`), 404, "WORKSPACE_NOT_FOUND");
  expectError(await api.delete(`/v1/workspaces/${workspace}`), 404, "WORKSPACE_NOT_FOUND");
  expectError(await upload(api, workspace, "b.txt", "x"), 404, "WORKSPACE_NOT_FOUND");
  expectError(
    await api.post("/v1/runs", { input: {}, workspace_id: workspace }),
    404,
    "WORKSPACE_NOT_FOUND",
  );
  expect((await api.get(`/v1/workspaces/${other}/files/${kept.file_id}/content`)).text).toBe(
    "kept",
  );
  expect((await api.get(`/v1/agents/${sharedAgent.agent_id}`)).status).toBe(200);
});
