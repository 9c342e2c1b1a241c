import { afterAll, describe, expect, test } from "bun:test";
import { crc32 } from "node:zlib";
import { api, unique } from "../client.ts";
import { expectData } from "../expectations.ts";
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
  signChunks,
  signForm,
  signHeader,
} from "./sign-request.ts";
import { tampers } from "./tampered.ts";

const server = await startS3Server();
afterAll(() => server.discard());

const a = api(server);
const SECRET = "private content of an object";
const BODY = Buffer.from("the private content that is uploaded");
const host = `127.0.0.1:${server.port}`;

await a.put("vault/secret.txt", SECRET, { visibility: "private" });
await a.put("other-vault/secret.txt", SECRET, { visibility: "private" });
const full = server.credentials;
const another = await createS3Key(server, {});
const scoped = await createS3Key(server, { folder: "other-vault" });

const others = {
  path: "/other-vault/secret.txt",
  accessKeyIds: [another.accessKeyId, scoped.accessKeyId],
};

const crcOf = (bytes: Uint8Array): string => {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(crc32(bytes));
  return buffer.toString("base64");
};

const get = (path = "/vault/secret.txt"): Draft => ({
  ...{ method: "GET", path, query: "", headers: { host }, body: Buffer.alloc(0) },
});
const put = (path = `/vault/${unique("put")}.txt`): Draft => ({
  ...{ method: "PUT", path, query: "", body: BODY },
  headers: { host, "content-type": "text/plain" },
});
const trailer = ["x-amz-checksum-crc32", crcOf(BODY)] as const;

/** A valid request of each kind of evidence and body. */
const KINDS: Readonly<Record<string, (signing: Signing) => Draft>> = {
  "GET, header": (signing) => signHeader(get(), signing),
  "GET, query": (signing) => presign(get(), signing),
  "PUT, header and hash": (signing) => signHeader(put(), signing),
  "PUT, header alone": (signing) => signHeader(put(), signing, "UNSIGNED-PAYLOAD"),
  "PUT, query": (signing) => presign(put(), signing),
  "PUT, signed chunks": (signing) => signChunks(put(), signing, { isSigned: true }),
  "PUT, signed chunks and trailer": (signing) =>
    signChunks(put(), signing, { isSigned: true, trailer }),
  "PUT, unsigned chunks and trailer": (signing) =>
    signChunks(put(), signing, { isSigned: false, trailer }),
  "list, header": (signing) =>
    signHeader({ ...get("/vault"), query: "list-type=2&prefix=s" }, signing),
  "DELETE, header": (signing) => signHeader({ ...get(), method: "DELETE" }, signing),
  "DELETE, query": (signing) => presign({ ...get(), method: "DELETE" }, signing),
  "copy, header": (signing) => {
    const draft = put();
    const headers = { host, "x-amz-copy-source": "/vault/secret.txt" };
    return signHeader({ ...draft, headers, body: Buffer.alloc(0) }, signing);
  },
};
const changes = (kind: string): boolean => !/^(GET|list)/.test(kind);

async function state(): Promise<string> {
  const { files } = expectData(await a.get("/api/files?orderBy=name"), filesData);
  const lines = files.map(({ key, size, visibility, updatedAt }) =>
    [key, size, visibility, updatedAt].join(" "),
  );
  return lines.sort().join("\n");
}

const sendDraft = (draft: Draft, more: Fields = []) =>
  rawRequest(server.port, bytesOf(draft, more));

/** The request fails, tells nothing and changes nothing. */
async function expectRefused(draft: Draft, more: Fields = []): Promise<number> {
  const before = await state();
  const { status, received } = await sendDraft(draft, more);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(received.toString("latin1")).not.toContain(SECRET);
  expect(received.toString("latin1")).not.toMatch(/<Key>|<Bucket>/);
  expect(await state()).toBe(before);
  return status;
}

describe.each(Object.entries(KINDS))("%s", (kind, sign) => {
  test("works as it is", async () => {
    const { status, text } = await sendDraft(sign(full));
    expect([status, text]).toEqual([/DELETE/.test(kind) ? 204 : 200, text]);
    if (kind.startsWith("GET")) expect(text).toBe(SECRET);
    if (kind.startsWith("DELETE")) {
      await a.put("vault/secret.txt", SECRET, { visibility: "private" });
    }
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
    const made = await a.json("POST", "/api/keys", { name: "brief", expiresIn: 1 });
    const { id, expiresAt } = expectData(made, newKeyData).key;
    const shown = await a.json("POST", "/api/keys/s3", { id });
    const brief: Signing = JSON.parse(shown.text).data;
    await Bun.sleep(Math.max(0, Date.parse(`${expiresAt}Z`) - Date.now()) + 1000);
    expect(await expectRefused(sign(brief))).toBe(403);
  });

  test("looks like a request for something missing outside the key's folder", async () => {
    const tree = await createS3Key(server, { folder: `${unique("tree")}/deep` });
    for (const signing of [scoped, tree]) expect(await expectRefused(sign(signing))).toBe(404);
  });

  test("needs the action", async () => {
    const action = kind.startsWith("GET") ? "read" : kind.startsWith("list") ? "list" : "write";
    const useless = ["list", "read", "write", "delete", "share", "keys"].filter(
      (each) => each !== action && !(kind.startsWith("DELETE") && each === "delete"),
    );
    const actions = kind.startsWith("DELETE") ? ["list", "read", "write"] : useless;
    expect(await expectRefused(sign(await createS3Key(server, { actions })))).toBe(403);
  });

  if (changes(kind)) {
    test("is refused to a key that may only read", async () => {
      const reader = await createS3Key(server, { actions: ["list", "read"] });
      expect(await expectRefused(sign(reader))).toBe(403);
    });
  }
});

describe("evidence in two places", () => {
  test.each(Object.keys(KINDS))("is refused: %s, and another header", async (kind) => {
    const draft = KINDS[kind]?.(full) ?? get();
    const authorization =
      draft.headers["authorization"] ?? signHeader(get(), full).headers["authorization"] ?? "";
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

  test("is refused with other evidence besides", async () => {
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
