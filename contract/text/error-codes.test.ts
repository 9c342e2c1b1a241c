import { expect, test } from "bun:test";
import { withErrorCodes } from "../errors-page.ts";
import { failuresOf } from "../failures.ts";
import type { Operation } from "../operation.ts";
import { operations } from "../operations.ts";
import { allErrorCodes, errorCodes, generalCode } from "./error-codes.ts";

const all = Object.values<Operation>(operations);

test("docs/errors.md has every code: `npm run generate` writes them", async () => {
  const page = await Bun.file(new URL("../../docs/errors.md", import.meta.url)).text();
  expect(page).toBe(withErrorCodes(page));
});

test("codes are stable words in snake case", () => {
  for (const code of allErrorCodes) expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
});

test.each(all.map((operation) => [operation.id, operation] as const))(
  "%s declares codes that have the status of their failures",
  (_, operation) => {
    const failures = failuresOf(operation);
    for (const { status, codes } of failures) {
      expect(codes.length).toBeGreaterThan(0);
      for (const code of codes) {
        const statuses: readonly number[] = errorCodes[code].statuses;
        expect(statuses).toContain(status);
      }
      expect(generalCode(status)).toBeString();
    }
    const declared = failures.flatMap(({ codes }) => codes);
    for (const code of operation.codes ?? []) expect(declared).toContain(code);
  },
);
