import { afterAll, beforeAll, expect, test } from "bun:test";
import { IS_UTF8 } from "../../../contract/text/charset.ts";
import { withSmallBlobCache } from "../../blobs/small-blob-cache.ts";
import type { SeenBy } from "../../domain/callers/caller.ts";
import { parseKey } from "../../domain/names/name.ts";
import type { Key } from "../../domain/records.ts";
import { createSigner } from "../../domain/tokens/signature.ts";
import { type FilesFixture, openFilesFixture } from "../../files/files.fixture.ts";
import { createLookups } from "../../files/lookups.ts";
import { createReadBytes } from "../../files/read.ts";
import { createDeliver } from "./deliver.ts";
import { createHost, type Host } from "./hosting.ts";
import { createSendFile } from "./send-file.ts";

let fixture: FilesFixture;
let host: Host;
let name: string;
let lookups = 0;

beforeAll(async () => {
  fixture = await openFilesFixture();
  const allocator = fixture.createAllocator();
  const id = await allocator.take();
  await fixture.store(id);
  const [file] = await fixture.addFiles(allocator, [id]);
  if (file === undefined) throw new Error("The file was not added.");
  await fixture.setDigest(file, Bun.CryptoHasher.hash("sha256", "bytes", "hex"));
  name = file.name;
  const { catalog } = fixture;
  const { borrow: borrowBytes } = createReadBytes({
    names: catalog,
    blobs: withSmallBlobCache(fixture.blobs, 1024 ** 2, () => {}),
    onDamage: () => {},
  });
  const onSend = () => {};
  const deliver = createDeliver({
    onSend,
    findCharset: (file) => ({ ...file, charset: IS_UTF8 }),
    send: createSendFile({ borrowBytes, onSend, pendingRequests: () => 0 }),
    cacheMaxAge: () => 60,
    now: Date.now,
    presignedRedirect: null,
  });
  const fileAt = (caller: SeenBy, key: Key) => {
    lookups += 1;
    return catalog.fileByKey(caller, key);
  };
  host = createHost({
    files: { look: { ...createLookups(catalog), fileAt }, below: catalog.fileBelow },
    signer: createSigner("a secret of the tests"),
    lasting: { versionOf: () => undefined },
    now: Date.now,
    deliver,
    deliverVariant: async () => new Response(),
    identify: () => undefined,
  });
});
afterAll(() => fixture.end());

const get = (segment: string, headers: Record<string, string> = {}) =>
  host(new Request(`http://127.0.0.1/api/hosting/${encodeURIComponent(segment)}`, { headers }), {
    key: parseKey(segment),
  });

test("a cached file is served synchronously", async () => {
  for (let times = 1; times <= 4; times += 1) {
    const response = get(name);
    // The second read compares the bytes, which are cached from then on.
    if (times !== 2) expect(response).toBeInstanceOf(Response);
    expect(await (await response)?.text()).toBe("bytes");
  }
  const tag = (await get(name))?.headers.get("etag") ?? "";
  const unchanged = get(name, { "If-None-Match": tag });
  expect(unchanged).toBeInstanceOf(Response);
  expect((await unchanged)?.status).toBe(304);
});

test("a missing file waits for the response jitter, cached or not", async () => {
  for (let times = 0; times < 3; times += 1) {
    const response = get("unknown");
    expect(response).toBeInstanceOf(Promise);
    expect(await response).toBeUndefined();
  }
});

test("an unknown size is refused before the file is looked up, so its time reveals nothing", () => {
  const before = lookups;
  for (const query of ["size=huge", "size=small&size=small", "size="]) {
    const request = new Request(`http://127.0.0.1/api/hosting/${name}?${query}`);
    expect(() => host(request, { key: parseKey(name) })).toThrow("`size` must be one of");
  }
  expect(lookups).toBe(before);
});
