import { expect, test } from "bun:test";
import { formatRefusal, parseRefusal } from "./format-refusal.ts";

test.each([
  [
    "`maxDeleteBatch` must be a whole number of ids from 1 to 10000, or null.",
    "maxDeleteBatch",
    "Must be a whole number of files from 1 to 10000.",
  ],
  [
    "`defaultPresignSeconds` must be at most `maxPresignSeconds`, which is 604800.",
    "defaultPresignSeconds",
    "Must be at most “Maximum signed URL lifetime”, which is 7 days.",
  ],
  [
    "`maxUploadSize` is set by the environment: change MAX_UPLOAD_SIZE there, or remove it.",
    "maxUploadSize",
    "Is set by the environment: change MAX_UPLOAD_SIZE there, or remove it.",
  ],
  ["`other` must be right.", undefined, "`other` must be right."],
  ["Unexpected server error", undefined, "Unexpected server error"],
] as const)("%s", (message, name, text) => {
  expect(parseRefusal(message)).toEqual({ name, text });
});

test("a standalone sentence names the setting", () => {
  expect(
    formatRefusal("`maxDeleteBatch` must be a whole number of ids from 1 to 10000, or null."),
  ).toBe("“Files per deletion” must be a whole number of files from 1 to 10000.");
  expect(formatRefusal("Unexpected server error")).toBe("Unexpected server error");
});
