import { describe, expect, test } from "bun:test";
import { addPair, changesOf, draftOf } from "./metadata-draft.ts";

const metadata = { cacheControl: "no-cache", "x-author": "Ada", "x-b": "2" };

describe("the draft of metadata", () => {
  test("changes nothing as long as it is not edited", () => {
    expect(changesOf(metadata, draftOf(metadata))).toBeNull();
    expect(changesOf({}, draftOf({}))).toBeNull();
    const ofS3 = { expires: "Wed, 01 Dec 2027 16:00:00 GMT", "x-amz-meta-empty": "" };
    expect(changesOf(ofS3, draftOf(ofS3))).toBeNull();
    expect(changesOf(metadata, addPair(draftOf(metadata)))).toBeNull();
  });

  test("sets, changes and removes fields", () => {
    const { fields, pairs } = draftOf(metadata);
    const edited = { ...fields, cacheControl: " ", contentLanguage: " en " };
    expect(changesOf(metadata, { fields: edited, pairs })).toEqual({
      cacheControl: null,
      contentLanguage: "en",
    });
  });

  test("adds, renames and removes pairs", () => {
    const draft = addPair(draftOf(metadata));
    expect(draft.pairs.map(({ id, name }) => [id, name])).toEqual([
      [0, "author"],
      [1, "b"],
      [2, ""],
    ]);
    const pairs = [
      { id: 0, name: "Editor", value: "Ada" },
      { id: 2, name: "c", value: " 3 " },
    ];
    expect(changesOf(metadata, { ...draft, pairs })).toEqual({
      "x-author": null,
      "x-b": null,
      "x-c": "3",
      "x-editor": "Ada",
    });
  });

  test("sends a value without a name, so that the server says what is missing", () => {
    const draft = { ...draftOf({}), pairs: [{ id: 0, name: " ", value: "1" }] };
    expect(changesOf({}, draft)).toEqual({ "x-": "1" });
  });
});
