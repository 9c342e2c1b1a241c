import { afterEach, describe, expect, test } from "bun:test";
import { AwsV4Signer } from "aws4fetch";
import { untilAfter } from "../../../test/expectations.ts";
import { openSqliteCatalog } from "../../catalog/sqlite/sqlite-catalog.ts";
import { headOf } from "../../semantics/s3-signature/request-head.ts";
import { type Access, createAccess } from "../access.ts";
import { dropCredentials, emptyCredentials } from "../credentials.fixture.ts";

const opened: Access[] = [];
afterEach(async () => {
  for (const access of opened.splice(0)) await access.close();
  await dropCredentials();
});

async function open(secret = "a secret that is long enough for this") {
  const credentials = await emptyCredentials(openSqliteCatalog);
  const access = createAccess({
    credentials,
    secret: () => secret,
    onError: (_message, cause) => {
      throw cause;
    },
  });
  opened.push(access);
  const { record } = await access.keys.create({ name: "backup", actions: ["read"] });
  return { access, record };
}

const HOST = "https://files.example.com";

async function signed(keyId: string, secret: string, options: { signQuery?: boolean } = {}) {
  const { url, headers } = await new AwsV4Signer({
    method: "GET",
    url: `${HOST}/bucket/key`,
    region: "auto",
    service: "s3",
    accessKeyId: keyId,
    secretAccessKey: secret,
    ...options,
  }).sign();
  const all = new Headers(headers);
  all.set("host", url.host);
  return headOf(new Request(url, { headers: all }));
}

describe("an API key as S3 credentials", () => {
  test("is the caller, whose use is recorded", async () => {
    const { access, record } = await open();
    const { accessKeyId, secretAccessKey: secret } = access.s3.credentialsOf(record);
    expect(accessKeyId).toMatch(/^[0-9a-f]{32}$/);
    expect(secret).toMatch(/^[\w-]{43}$/);
    for (const signQuery of [false, true]) {
      const head = await signed(signQuery ? record.id : accessKeyId, secret, { signQuery });
      const identity = await access.s3.authenticate(head);
      expect(identity?.kind).toBe(signQuery ? "query" : "header");
      expect(identity?.identity.key.id).toBe(record.id);
      expect(identity?.identity.key.actions).toEqual(["read"]);
    }
    const [listed] = await access.keys.list();
    expect(listed?.lastUsedAt).toBeNumber();
  });

  test("has a secret that depends on AUTH_SECRET and the key", async () => {
    const { access, record } = await open();
    const { access: other } = await open("another secret that is long enough");
    const credentials = access.s3.credentialsOf(record);
    expect(access.s3.credentialsOf(record)).toEqual(credentials);
    for (const another of [
      other.s3.credentialsOf(record),
      access.s3.credentialsOf({ id: "0".repeat(32), secretVersion: 0 }),
    ]) {
      expect(another.secretAccessKey).not.toBe(credentials.secretAccessKey);
    }
  });

  test("is refused with another key's secret, revoked, expired and unknown", async () => {
    const { access, record } = await open();
    const brief = await access.keys.create({ name: "brief", expiresIn: 0.001 });
    const secretOf = (id: string, secretVersion = 0) =>
      access.s3.credentialsOf({ id, secretVersion }).secretAccessKey;
    const codeOf = async (id: string, secret: string) =>
      access.s3.authenticate(await signed(id, secret)).then(
        () => undefined,
        (error) => error.s3Code,
      );
    await untilAfter(brief.record.expiresAt ?? 0);
    expect(await codeOf(record.id, secretOf(brief.record.id))).toBe("SignatureDoesNotMatch");
    expect(await codeOf(brief.record.id, secretOf(brief.record.id))).toBe("InvalidAccessKeyId");
    expect(await codeOf("f".repeat(32), secretOf("f".repeat(32)))).toBe("InvalidAccessKeyId");
    expect(await codeOf("AKIA", secretOf("AKIA"))).toBe("InvalidAccessKeyId");
    await access.keys.revoke(record.id);
    expect(await codeOf(record.id, secretOf(record.id))).toBe("InvalidAccessKeyId");
  });

  test("has a new secret after a rotation; the old one works as long as the key's old secret", async () => {
    const { access, record } = await open();
    const { s3 } = access;
    const old = s3.credentialsOf(record);
    const isAccepted = async (secret: string) =>
      s3.authenticate(await signed(record.id, secret)).then(
        (identity) => identity,
        ({ s3Code }) => s3Code,
      );
    const rotate = async (oldSecretExpiresIn: number) => {
      const rotated = await access.keys.rotate({ id: record.id, oldSecretExpiresIn });
      return s3.credentialsOf(rotated.record);
    };
    const second = await rotate(3600);
    expect(second.accessKeyId).toBe(old.accessKeyId);
    const byOld = await isAccepted(old.secretAccessKey);
    expect(byOld).toMatchObject({ identity: { key: { id: record.id, secretVersion: 0 } } });
    const bySecond = await isAccepted(second.secretAccessKey);
    expect(bySecond).toMatchObject({ identity: { key: { id: record.id, secretVersion: 1 } } });
    await s3.requireStillValid(byOld.identity);

    const third = await rotate(0);
    for (const { secretAccessKey } of [old, second]) {
      expect(await isAccepted(secretAccessKey)).toBe("SignatureDoesNotMatch");
    }
    for (const { identity } of [byOld, bySecond]) {
      await expect(s3.requireStillValid(identity)).rejects.toMatchObject({
        s3Code: "SignatureDoesNotMatch",
      });
    }
    const byThird = await isAccepted(third.secretAccessKey);
    await s3.requireStillValid(byThird.identity);
  });

  test("is not needed where there are none", async () => {
    const { access } = await open();
    const head = headOf(new Request(`${HOST}/a`, { headers: { Authorization: "Bearer x" } }));
    expect(await access.s3.authenticate(head)).toBeUndefined();
    expect(await access.s3.authenticateForm(head, new Map([["key", "a"]]))).toBeUndefined();
  });

  test("gets the headers that a presigned URL has in its query", async () => {
    const { access, record } = await open();
    const { url } = await new AwsV4Signer({
      method: "PUT",
      region: "auto",
      service: "s3",
      signQuery: true,
      accessKeyId: record.id,
      secretAccessKey: access.s3.credentialsOf(record).secretAccessKey,
      url: `${HOST}/b/k?x-amz-checksum-crc32=AAAAAA%3D%3D&x-amz-acl=private&x-id=PutObject`,
    }).sign();
    const request = new Request(url, { method: "PUT", headers: { host: url.host } });
    const identity = await access.s3.authenticate(headOf(request));
    expect(Object.fromEntries(identity?.headers ?? [])).toEqual({
      host: url.host,
      "x-amz-checksum-crc32": "AAAAAA==",
      "x-amz-acl": "private",
    });
  });
});

describe("the head of a request", () => {
  test.each([
    ["/", "/", ""],
    ["/a/b?c=d", "/a/b", "c=d"],
    ["/a?", "/a", ""],
    ["?list-type=2", "/", "list-type=2"],
    ["/a%20b?x=/y?z", "/a%20b", "x=/y?z"],
    ["/a#b?c", "/a", ""],
    ["/a?b#c", "/a", "b"],
  ])("%s has the path %s and the query %p", (target, path, query) => {
    const head = headOf(new Request(`${HOST}${target}`), "files.example.com");
    expect(head).toMatchObject({ method: "GET", path, query, publicHost: "files.example.com" });
  });
});
