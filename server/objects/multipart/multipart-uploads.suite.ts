import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { pattern } from "../../blobs/growing-blobs.suite.ts";
import { parseKey } from "../../domain/names/name.ts";
import type { PartRecord } from "../../semantics/s3/multipart.ts";
import {
  EVERYONE,
  errorOf,
  expectCode,
  failing,
  MAX_OPEN_UPLOADS,
  md5Of,
  type ObjectsFixture,
} from "../objects.fixture.ts";

const PART = 5 * 1024 ** 2;
const PATH = "bucket/deep/object";
const content = (number: number, size = PART): Buffer => pattern(size, number);

/** What multipart uploads must do on every blob store. `open` returns an empty one. */
export function testMultipartUploads(name: string, open: () => Promise<ObjectsFixture>): void {
  describe(`multipart uploads on ${name}`, () => {
    let fixture: ObjectsFixture;
    beforeEach(async () => {
      fixture = await open();
    });
    afterEach(() => fixture.end());

    async function expectObject(bytes: Buffer): Promise<void> {
      const file = await fixture.service.find(EVERYONE, parseKey(PATH));
      expect(file?.size).toBe(bytes.length);
      expect(file?.checksum).toBe(Bun.hash.crc32(bytes));
      expect((await fixture.bytesOf(PATH))?.equals(bytes)).toBe(true);
    }

    test("join parts that were sent in any order", async () => {
      const { id } = await fixture.create(PATH);
      const wanted = [content(1), content(2), content(3, 1000)];
      const stored = await Promise.all(
        [2, 1, 0].map((index) =>
          fixture.putPart(id, PATH, index + 1, wanted[index] ?? Buffer.of()),
        ),
      );
      const parts = stored.toReversed();
      expect(parts.map(({ md5 }) => md5)).toEqual(wanted.map(md5Of));
      await fixture.complete(id, PATH, parts);
      await expectObject(Buffer.concat(wanted));
      await fixture.expectNoLeaks();
    });

    test("join parts of any sizes and numbers, without those that are not chosen", async () => {
      const { id } = await fixture.create(PATH);
      const sizes = [PART + 3, PART, PART + 1, 10];
      const parts: PartRecord[] = [];
      for (const [index, size] of sizes.entries()) {
        parts.push(await fixture.putPart(id, PATH, 3 * index + 2, content(index, size)));
      }
      const [first, , third, last] = parts;
      const chosen = [first, third, last].flatMap((part) => part ?? []);
      await fixture.complete(id, PATH, chosen);
      await expectObject(
        Buffer.concat([content(0, PART + 3), content(2, PART + 1), content(3, 10)]),
      );
      await fixture.expectNoLeaks();
    });

    test("are limited in number, and one too many leaves nothing behind", async () => {
      const ids: string[] = [];
      for (let number = 0; number < MAX_OPEN_UPLOADS; number += 1) {
        ids.push((await fixture.create(PATH)).id);
      }
      const error = await errorOf(fixture.create(PATH));
      expect(error).toMatchObject({ kind: "rate_limited" });
      for (const id of ids) await fixture.service.multipart.abort(EVERYONE, id, parseKey(PATH));
      await fixture.expectNoLeaks();
    });

    test("take the last of several parts with one number", async () => {
      const { id } = await fixture.create(PATH);
      const first = await fixture.putPart(id, PATH, 1, content(1));
      await fixture.putPart(id, PATH, 2, content(2, 99));
      const again = await fixture.putPart(id, PATH, 1, content(7));
      const { parts, more } = await fixture.service.multipart.parts(
        EVERYONE,
        id,
        parseKey(PATH),
        0,
        1,
      );
      expect({ parts, more }).toEqual({ parts: [again], more: true });
      const second = await fixture.service.multipart.parts(EVERYONE, id, parseKey(PATH), 1, 9);
      expect(second.more).toBe(false);
      await expectCode(fixture.complete(id, PATH, [first, ...second.parts]), "InvalidPart");
      await fixture.complete(id, PATH, [again, ...second.parts]);
      await expectObject(Buffer.concat([content(7), content(2, 99)]));
      await fixture.expectNoLeaks();
    });

    test("are whole after a part has failed and was sent again", async () => {
      const { id } = await fixture.create(PATH);
      const first = await fixture.putPart(id, PATH, 1, content(1));
      const error = new Error("broken");
      const body = failing(content(9, 1000), error);
      expect(await errorOf(fixture.putPart(id, PATH, 2, content(2), { body }))).toBe(error);
      const short = fixture.putPart(id, PATH, 2, content(2), { length: PART + 1 });
      await expectCode(short, "IncompleteBody");
      const second = await fixture.putPart(id, PATH, 2, content(2));
      await fixture.complete(id, PATH, [first, second]);
      await expectObject(Buffer.concat([content(1), content(2)]));
      await fixture.expectNoLeaks();
    });

    test("take parts of unknown length and copies of other objects", async () => {
      const source = await fixture.put("bucket/source", content(4));
      const { id } = await fixture.create(PATH);
      const first = await fixture.putPart(id, PATH, 1, content(1), { length: undefined });
      const key = parseKey(PATH);
      const part = { id, key, number: 2, source };
      const whole = await fixture.service.multipart.copyPart(EVERYONE, part);
      expect(whole.md5).toBe(md5Of(content(4)));
      const slice = { start: 10, end: 2000 };
      const third = await fixture.service.multipart.copyPart(EVERYONE, {
        ...part,
        number: 3,
        slice,
      });
      await fixture.complete(id, PATH, [first, whole, third]);
      await expectObject(Buffer.concat([content(1), content(4), content(4).subarray(10, 2000)]));
      await fixture.expectNoLeaks();
    });

    test("give the same answer to every Complete", async () => {
      const { id } = await fixture.create(PATH);
      const parts = [
        await fixture.putPart(id, PATH, 1, content(1)),
        await fixture.putPart(id, PATH, 3, content(3, 10)),
      ];
      const files = await Promise.all(
        Array.from({ length: 5 }, () => fixture.complete(id, PATH, parts)),
      );
      expect(new Set(files.map(({ blobId }) => blobId)).size).toBe(1);
      expect((await fixture.complete(id, PATH, parts)).id).toBe(files[0]?.id ?? "");
      await expectCode(fixture.complete(id, PATH, parts.slice(1)), "NoSuchUpload");
      await expectCode(fixture.putPart(id, PATH, 2, content(2)), "NoSuchUpload");
      await expectObject(Buffer.concat([content(1), content(3, 10)]));
      await fixture.expectNoLeaks();
    });

    test("leave nothing behind when they are aborted or expire", async () => {
      const { id } = await fixture.create(PATH);
      await fixture.putPart(id, PATH, 1, content(1));
      await fixture.putPart(id, PATH, 2, content(2, PART + 1));
      await expectCode(
        fixture.service.multipart.abort(EVERYONE, id, parseKey("bucket/x")),
        "NoSuchUpload",
      );
      await fixture.service.multipart.abort(EVERYONE, id, parseKey(PATH));
      await expectCode(
        fixture.service.multipart.abort(EVERYONE, id, parseKey(PATH)),
        "NoSuchUpload",
      );
      await expectCode(fixture.putPart(id, PATH, 3, content(3)), "NoSuchUpload");
      await fixture.create(PATH);
      await fixture.objects.removeExpired(Date.now());
      expect(
        await fixture.catalog.multipartsAfter({
          bucket: parseKey("bucket"),
          prefix: "",
          limit: 9,
        }),
      ).toHaveLength(1);
      await fixture.catalog.removeExpiredMultiparts(Date.now() + 8 * 24 * 3_600_000, 9);
      await fixture.expectNoLeaks();
    });
  });
}
