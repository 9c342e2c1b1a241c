import { afterAll, describe, expect, test } from "bun:test";
import { grantActions } from "../../contract/bodies/accounts.ts";
import { type KeyAction, keyActions } from "../../contract/key-actions.ts";
import { type S3Permission, s3Operations } from "../../server/http/s3/s3-operations.ts";
import { api, send, unique } from "../client.ts";
import { expectData } from "../expectations.ts";
import type { HttpResponse } from "../http-response.ts";
import { peopleOn } from "../people.fixture.ts";
import { administrator } from "../session.ts";
import { newKeyData } from "../shapes.ts";
import {
  createS3Key,
  credentialsOf,
  type S3Credentials,
  startS3Server,
} from "./s3-server.fixture.ts";
import { OBJECT, type S3Call, type S3Case, type S3Target, s3Cases } from "./scope-cases.ts";
import { type Draft, formDraft, signForm, signHeader } from "./sign-request.ts";

/*
 * Every operation of the S3 API, with keys and members of every action, and in every folder that matters. What is expected
 * follows from the rows of the operations. An operation without a request in `s3Cases` does not compile.
 */

const server = await startS3Server({
  ...administrator,
  RATE_LIMIT_API: "0",
  S3_ACCEPT_SSE: "true",
});
afterAll(() => server.discard());
const full = server.credentials;
const host = new URL(server.url).host;

function sign(
  { method, path, query = "", headers = {}, body = "", form }: S3Call,
  by: S3Credentials,
): Draft {
  if (form !== undefined) {
    const conditions = [{ bucket: form.bucket }, ["starts-with", "$key", ""]];
    return formDraft(path, signForm([["key", form.key]], conditions, by), "x", host);
  }
  // The query of a subresource without a value.
  const canonical = query === "" || query.includes("=") ? query : `${query}=`;
  const draft = {
    method,
    path,
    query: canonical,
    headers: { ...headers, host },
    body: Buffer.from(body),
  };
  return signHeader(draft, by);
}

function request(call: S3Call, by: S3Credentials): Promise<HttpResponse> {
  const { method, path, query, headers, body } = sign(call, by);
  const { host: _, ...sent } = headers;
  const target = query === "" ? path : `${path}?${query}`;
  return send(server, method, target, sent, body.length === 0 ? undefined : body);
}

async function expectStatus(call: S3Call, ...statuses: number[]): Promise<HttpResponse> {
  const answer = await request(call, full);
  if (!statuses.includes(answer.status))
    throw new Error(`${call.method} ${call.path}: ${answer.text}`);
  return answer;
}

/** An object and an unfinished upload in a folder of a bucket, which are made again if they are there. */
async function fill(bucket: string, folder: string): Promise<S3Target> {
  const path = `/${bucket}/${folder}/${OBJECT}`;
  await expectStatus({ method: "PUT", path, body: "object" }, 200);
  const parts = `/${bucket}/${folder}/parts`;
  const { text } = await expectStatus({ method: "POST", path: parts, query: "uploads" }, 200);
  const uploadId = /<UploadId>([^<]+)</.exec(text)?.[1] ?? "";
  const query = `partNumber=1&uploadId=${encodeURIComponent(uploadId)}`;
  const part = await expectStatus({ method: "PUT", path: parts, query, body: "part" }, 200);
  return { bucket, folder, uploadId, partEtag: part.header("etag") ?? "" };
}

const bucket = unique("scope");
const other = `${bucket}0`;
for (const name of [bucket, other]) await expectStatus({ method: "PUT", path: `/${name}` }, 200);
let inside = await fill(bucket, "in");
/* A sibling of the folder, with a key that begins alike. */
const beside = await fill(bucket, "in0");
const outside = await fill(other, "in");
const missing: S3Target = { ...outside, bucket: `${bucket}-x`, uploadId: crypto.randomUUID() };
const absent: S3Target = { ...beside, folder: "nothing", uploadId: crypto.randomUUID() };

const SETTINGS = [
  "acl",
  "cors",
  "lifecycle",
  "tagging",
  "policy",
  "publicAccessBlock",
  "ownershipControls",
  "encryption",
];

/** Undoes what an operation has changed inside. */
async function restore(name: string): Promise<void> {
  const setting = name.split("?")[1] ?? "";
  if (setting !== "acl" && SETTINGS.includes(setting)) {
    await expectStatus({ method: "DELETE", path: `/${bucket}`, query: setting }, 204);
  }
  inside = await fill(bucket, "in");
}

/* Keys of every set of actions: everywhere, of the bucket, and of a folder in it. */
const keys = new Map<string, Promise<S3Credentials>>();
function keyWith(actions: readonly KeyAction[], folder?: string): Promise<S3Credentials> {
  const name = `${folder} ${actions}`;
  const key =
    keys.get(name) ?? createS3Key(server, { actions, ...(folder === undefined ? {} : { folder }) });
  keys.set(name, key);
  return key;
}

/* A key of a member, whose only space is the bucket: it can do what the grant allows now. */
const people = await peopleOn(server);
const bucketId = (await api(server).browse(bucket)).folder.id;
const member = await people.member([{ folderId: bucketId, actions: [...grantActions] }]);
const made = await member.as("POST", "/api/keys", { name: "S3", actions: [...grantActions] });
const memberKey = credentialsOf(expectData(made, newKeyData).key.id);
const grantId = (await people.spacesOf(member))[0]?.id ?? "";
async function memberWith(actions: readonly KeyAction[]): Promise<S3Credentials> {
  await people.owner("PUT", "/api/grants", { id: grantId, actions });
  return memberKey;
}

const suffices = (given: readonly KeyAction[], { actions, or }: S3Permission): boolean =>
  given.includes("admin") ||
  (or !== undefined && given.includes(or)) ||
  actions.every(
    (action) => given.includes(action) || (action === "discard" && given.includes("delete")),
  );

/** None that helps, each alone, exactly those needed, and all. */
function actionSets({ actions }: S3Permission): KeyAction[][] {
  const useless = keyActions.filter((action) => action !== "admin" && !actions.includes(action));
  return [useless, ...keyActions.map((action) => [action]), [...actions], [...keyActions]].filter(
    (set) => set.length > 0,
  );
}

const rows = Object.entries(s3Operations).flatMap(([kind, table]) =>
  Object.entries<{ readonly permission: S3Permission }>(table).map(([name, { permission }]) => {
    const cases: readonly S3Case[] = Reflect.get(Reflect.get(s3Cases, kind), name);
    return { kind, name, permission, cases };
  }),
);

const changes = (name: string): boolean => !/^(GET|HEAD)/.test(name);

/** Checks an answer about what the caller sees. */
function expectAnswer(
  answer: HttpResponse,
  permission: S3Permission,
  given: readonly KeyAction[],
  status: number,
): void {
  const allowed = suffices(given, permission);
  expect([given, answer.status, answer.text]).toEqual([given, allowed ? status : 403, answer.text]);
  if (allowed || answer.text === "") return;
  const lacking = permission.actions.filter((action) => !given.includes(action));
  expect(answer.text).toContain("<Code>AccessDenied</Code>");
  expect(lacking.some((action) => answer.text.includes(`\`${action}\``))).toBe(true);
}

/** The status and text of a response, without the names that the request had. */
const sayingOf = ({ status, text }: HttpResponse, { bucket: name, folder, uploadId }: S3Target) =>
  `${status} ${[uploadId, name, `${folder}/`].reduce((rest, echo) => rest.replaceAll(echo, "…"), text)}`.replace(
    /<RequestId>[^<]*/,
    "",
  );

describe.each(rows)("$kind $name", ({ kind, name, permission, cases }) => {
  const sets = actionSets(permission);
  const [first] = cases;
  const status = first?.status ?? 200;
  const limitedStatus = first?.limitedStatus ?? status;
  const call = (target: S3Target) => first?.call(target, inside) ?? { method: "", path: "" };

  test("with a key for everything", async () => {
    for (const set of sets) {
      expectAnswer(await request(call(inside), await keyWith(set)), permission, set, status);
      if (changes(name) && suffices(set, permission)) await restore(name);
    }
  });

  test("with a key for the bucket", async () => {
    for (const set of sets) {
      const answer = await request(call(inside), await keyWith(set, bucket));
      expectAnswer(answer, permission, set, limitedStatus);
      if (kind === "service" && suffices(set, permission)) expect(answer.text).not.toContain(other);
      if (changes(name) && suffices(set, permission)) await restore(name);
    }
  });

  test("with a key of a member of the bucket", async () => {
    for (const set of sets) {
      const granted = set.filter((action) => grantActions.some((each) => each === action));
      if (granted.length === 0) continue;
      const answer = await request(call(inside), await memberWith(granted));
      expectAnswer(answer, permission, granted, limitedStatus);
      if (changes(name) && suffices(granted, permission)) await restore(name);
    }
  });

  if (kind === "service" || (kind === "bucket" && name === "PUT")) return;

  test("another bucket looks missing", async () => {
    for (const each of cases) {
      for (const set of sets) {
        for (const by of [await keyWith(set, bucket), await keyWith(set, `${bucket}/in`)]) {
          const nothing = await request(each.call(missing, inside), by);
          expect([set, nothing.status]).toEqual([set, 404]);
          const hidden = await request(each.call(outside, inside), by);
          expect(sayingOf(hidden, outside)).toBe(sayingOf(nothing, missing));
        }
      }
    }
  });

  if (kind !== "object") return;

  test("what is beside the folder of a key looks missing", async () => {
    for (const each of cases) {
      for (const set of sets) {
        const by = await keyWith(set, `${bucket}/in`);
        const nothing = await request(each.call(absent, inside), by);
        const hidden = await request(each.call(beside, inside), by);
        expect(sayingOf(hidden, beside)).toBe(sayingOf(nothing, absent));
      }
    }
    const own = await request(call(inside), await keyWith(keyActions, `${bucket}/in`));
    expect([own.status, own.text]).toEqual([status, own.text]);
    if (changes(name)) await restore(name);
    const kept = await request({ method: "GET", path: `/${bucket}/in0/${OBJECT}` }, full);
    expect(kept.text).toBe("object");
  });
});

test("a key for a folder in a bucket neither creates nor changes buckets", async () => {
  const by = await keyWith(keyActions, `${bucket}/in`);
  for (const { kind, name, permission, cases } of rows) {
    if (
      kind !== "bucket" ||
      permission.actions.every((action) => action === "list" || action === "discard")
    )
      continue;
    const target = name === "PUT" ? missing : inside;
    for (const { call } of cases) {
      const answer = await request(call(target, target), by);
      expect([name, answer.status, answer.text]).toEqual([name, 403, answer.text]);
    }
  }
});
