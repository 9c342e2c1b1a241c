import { expect, test } from "bun:test";
import {
  booleanSettings,
  eachBoolean,
  eachNumber,
  eachText,
  numberSettings,
  type SettingValues,
} from "../../../contract/settings.ts";
import { parseName } from "../../domain/names/name.ts";
import type { BlobId, FileRecord, Key } from "../../domain/records.ts";
import { createDeliver } from "./deliver.ts";
import { createDeliverVariant } from "./deliver-variant.ts";
import type { SendFile } from "./send-file.ts";

const before: FileRecord = {
  id: "1",
  folderId: "2",
  name: parseName("a.png"),
  key: "a.png" as Key,
  mimeType: "image/png",
  size: 6,
  visibility: "public",
  blobId: 7 as BlobId,
  checksum: 0,
  sha256: null,
  metadata: null,
  s3: null,
  charset: "",
  modifiedAt: 0,
  createdAt: 0,
  updatedAt: 0,
  expiresAt: null,
};
const after: FileRecord = { ...before, blobId: 8 as BlobId, modifiedAt: 1000 };

/** The bytes of the file are gone; those of its replacement are there. */
const send: SendFile = (file, plan, _, again) =>
  file === before ? again(after) : new Response("after!", plan);
const deliver = createDeliver({
  send,
  findCharset: (file) => file,
  onSend: () => {},
  cacheMaxAge: () => 60,
  now: () => 0,
  presignedRedirect: null,
});
const settings: SettingValues = {
  defaultVisibility: "public",
  ...eachNumber((name) => numberSettings[name].default),
  ...eachBoolean((name) => booleanSettings[name].default),
  ...eachText(() => ""),
};
const deliverVariant = createDeliverVariant({
  images: {
    variant: async (file) =>
      file === before ? { replacedBy: after } : { bytes: new Uint8Array([0xff, 1, 2]) },
  },
  deliver,
  settings: { current: () => settings },
  now: () => 0,
  onSend: () => {},
});
const requestWith = (headers: Record<string, string> = {}) =>
  new Request("http://127.0.0.1/api/hosting/a.png?v=0123456789abcdef", { headers });

test("a file that is replaced meanwhile is not cached for a year at the lasting URL of the other", async () => {
  const ranged = requestWith({ Range: "bytes=0-1" });
  for (const response of [
    await deliver(before, requestWith(), "inline", "lasting"),
    await deliver(before, ranged, "inline", "lasting"),
    await deliverVariant("small", before, requestWith(), "inline", "lasting"),
  ]) {
    expect(response.headers.get("cache-control")).toMatch(/^public, max-age=\d{1,5}, must-reval/);
  }
  const own = await deliver(after, requestWith(), "inline", "lasting");
  expect(own.headers.get("cache-control")).toContain("immutable");
  const signed = await deliver(before, requestWith(), "inline", "token");
  expect(signed.headers.get("referrer-policy")).toBe("no-referrer");
});
