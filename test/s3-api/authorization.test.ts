import { afterAll, describe, expect, test } from "bun:test";
import { api, unique } from "../client.ts";
import { expectData, untilAfter } from "../expectations.ts";
import { rawRequest } from "../raw.ts";
import { filesData, newKeyData } from "../shapes.ts";
import { createS3Key, startS3Server } from "./s3-server.fixture.ts";
import {
  bytesOf,
  type Draft,
  type Fields,
  formDraft,
  presign,
  type Signing,
  signForm,
  signHeader,
} from "./sign-request.ts";
import { createSignedKinds, SECRET } from "./signed-kinds.ts";
import { tampers } from "./tampered.ts";

const server = await startS3Server();
afterAll(() => server.discard());

const a = api(server);
const host = `127.0.0.1:${server.port}`;
await a.put("other-vault/secret.txt", SECRET, { visibility: "private" });
const { kinds, uploads } = await createSignedKinds(server);
const full = server.credentials;
const another = await createS3Key(server, {});
const scoped = await createS3Key(server, { folder: "other-vault" });

const others = {
  path: "/other-vault/secret.txt",
  accessKeyIds: [another.accessKeyId, scoped.accessKeyId],
};

const get = (): Draft => ({
  method: "GET",
  path: "/vault/secret.txt",
  query: "",
  body: Buffer.alloc(0),
  headers: { host },
});

const expired = createExpiredKey();

async function createExpiredKey(): Promise<Signing> {
  const made = await a.json("POST", "/api/keys", { name: "brief", expiresIn: 1 });
  const { id, expiresAt } = expectData(made, newKeyData).key;
  const shown = await a.json("POST", "/api/keys/s3", { id });
  // `expiresAt` is in whole seconds, rounded down.
  await untilAfter(Date.parse(`${expiresAt}Z`) + 1000);
  return JSON.parse(shown.text).data;
}

async function state(): Promise<string> {
  const { files } = expectData(await a.get("/api/files?orderBy=name"), filesData);
  const lines = files.map(({ key, size, visibility, updatedAt }) =>
    [key, size, visibility, updatedAt].join(" "),
  );
  return lines.sort().join("\n") + (await uploads());
}

const sendDraft = (draft: Draft, more: Fields = []) =>
  rawRequest(server.port, bytesOf(draft, more));

/** The request fails, reveals nothing and changes nothing. */
async function expectRefused(draft: Draft, more: Fields = []): Promise<number> {
  const before = await state();
  const { status, received } = await sendDraft(draft, more);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(received.toString("latin1")).not.toContain(SECRET);
  expect(received.toString("latin1")).not.toMatch(/<Key>|<Bucket>|<ETag>/);
  expect(await state()).toBe(before);
  return status;
}

describe.each(Object.entries(kinds))("%s", (kind, { sign, status, useless, restore }) => {
  test("works as it is", async () => {
    const answer = await sendDraft(sign(full));
    expect([answer.status, answer.text]).toEqual([status, answer.text]);
    if (kind.startsWith("GET")) expect(answer.text).toBe(SECRET);
    await restore?.();
  });

  const cases = Object.entries(tampers(others)).flatMap(([name, tamper]) =>
    tamper(sign(full)) === undefined ? [] : [{ name, tamper }],
  );
  test.each(cases)("is refused with a change: $name", async ({ tamper }) => {
    const tampered = tamper(sign(full));
    if (tampered === undefined) throw new Error("There is nothing to change.");
    await expectRefused(tampered);
  });

  test("is refused with the secret of another key", async () => {
    for (const { secretAccessKey } of [another, scoped, { secretAccessKey: "" }]) {
      expect(await expectRefused(sign({ ...full, secretAccessKey }))).toBe(403);
    }
  });

  test("is refused if its clock is off by more than 15 minutes", async () => {
    for (const minutes of [-16, 16]) {
      const date = new Date(Date.now() + minutes * 60_000);
      expect(await expectRefused(sign({ ...full, date }))).toBe(403);
    }
  });

  test("is refused with a revoked and with an expired key", async () => {
    const revoked = await createS3Key(server, {});
    await a.json("DELETE", "/api/keys", { id: revoked.id });
    expect(await expectRefused(sign(revoked))).toBe(403);
    expect(await expectRefused(sign(await expired))).toBe(403);
  });

  test("looks like a request for something missing outside the key's folder", async () => {
    const tree = await createS3Key(server, { folder: `${unique("tree")}/deep` });
    for (const signing of [scoped, tree]) expect(await expectRefused(sign(signing))).toBe(404);
  });

  test("needs the action", async () => {
    const key = await createS3Key(server, { actions: useless });
    expect(await expectRefused(sign(key))).toBe(403);
  });
});

describe("credentials in two places", () => {
  test.each(Object.entries(kinds))("is refused: %s, and another header", async (_, { sign }) => {
    const draft = sign(full);
    const authorization =
      draft.headers.authorization ?? signHeader(get(), full).headers.authorization ?? "";
    await expectRefused(draft, [["authorization", authorization]]);
  });

  test("is refused: a header and a presigned query", async () => {
    const { query } = presign(get(), full);
    await expectRefused(signHeader({ ...get(), query }, full));
  });
});

describe("a form", () => {
  const path = "/vault";
  const conditions = [
    { bucket: "vault" },
    ["starts-with", "$key", "forms/"],
    { acl: "private" },
    ["content-length-range", 1, 20],
  ];
  const fields = (changes: Readonly<Record<string, string>> = {}): Fields =>
    Object.entries({ key: `forms/${unique("form")}.txt`, acl: "private", ...changes });
  const form = (signed: Fields, file = "content", to = path): Draft =>
    formDraft(to, signed, file, host);
  const signed = (signing: Signing = full): Fields => signForm(fields(), conditions, signing);
  const change = (name: string, value: string | undefined): Fields =>
    signed().flatMap((field) => {
      if (field[0] !== name) return [field];
      return value === undefined ? [] : [[name, value] as const];
    });

  test("works as it is", async () => {
    const { status, text } = await sendDraft(form(signed()));
    expect([status, text]).toEqual([204, text]);
  });

  test.each([
    ["x-amz-meta-lines", "one\ntwo"],
    ["x-amz-meta-word", "one\u0085two"],
    ["x-amz-meta-a b", "1"],
  ])("that sets %p to %p gets InvalidArgument", async (name, value) => {
    const metadata = [...conditions, { [name]: value }];
    const { status, text } = await sendDraft(
      form(signForm(fields({ [name]: value }), metadata, full)),
    );
    expect([status, /<Code>(\w+)/.exec(text)?.[1]]).toEqual([400, "InvalidArgument"]);
  });

  const otherPolicy = signForm([], [{ bucket: "vault" }, ["starts-with", "$key", ""]], {
    ...full,
    secretAccessKey: "wrong",
  });
  const policy = otherPolicy.find(([name]) => name === "policy")?.[1];

  test.each([
    ["key", "elsewhere/form.txt"],
    ["key", "forms/../secret.txt"],
    ["key", undefined],
    ["acl", "public-read"],
    ["acl", undefined],
    ["policy", policy],
    ["policy", undefined],
    ["policy", ""],
    ["x-amz-signature", "0".repeat(64)],
    ["x-amz-signature", ""],
    ["x-amz-signature", undefined],
    ["x-amz-credential", `${another.accessKeyId}/20260101/us-east-1/s3/aws4_request`],
    ["x-amz-credential", undefined],
    ["x-amz-algorithm", "none"],
    ["x-amz-algorithm", undefined],
    ["x-amz-date", "20260101T000000Z"],
    ["x-amz-date", undefined],
  ] as const)("is refused with %s: %p", async (name, value) => {
    await expectRefused(form(change(name, value)));
  });

  test.each([
    ["x-amz-meta-added", "1"],
    ["x-amz-acl", "public-read"],
    ["success_action_redirect", "https://evil.example"],
    ["key", "forms/second.txt"],
    ["bucket", "other-vault"],
    ["awsaccesskeyid", full.accessKeyId],
    ["x-amz-security-token", "x"],
  ])("is refused with one field more: %s", async (name, value) => {
    await expectRefused(form([...signed(), [name, value]]));
    await expectRefused(form([[name, value], ...signed()]));
  });

  test("is refused for another bucket", async () => {
    await expectRefused(form(signed(), "content", "/other-vault"));
  });

  test("is refused after the end of its policy", async () => {
    const expired = signForm(fields(), conditions, full, new Date(Date.now() - 1000));
    expect(await expectRefused(form(expired))).toBe(403);
  });

  test("is refused with a file that is too large or too small", async () => {
    await expectRefused(form(signed(), "x".repeat(21)));
    await expectRefused(form(signed(), ""));
  });

  test("is refused with other credentials besides", async () => {
    const draft = form(signed());
    await expectRefused(signHeader(draft, full));
    await expectRefused(presign(draft, full));
  });

  test("is refused without a policy", async () => {
    expect(await expectRefused(form(fields()))).toBe(403);
  });

  test("is refused to keys that may not write there", async () => {
    const reader = await createS3Key(server, { actions: ["list", "read"] });
    expect(await expectRefused(form(signed(reader)))).toBe(403);
    expect(await expectRefused(form(signed(scoped)))).toBe(404);
    expect(await expectRefused(form(signed({ ...full, secretAccessKey: "x" })))).toBe(403);
  });
});
