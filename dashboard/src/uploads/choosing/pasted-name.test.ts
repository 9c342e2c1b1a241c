import { expect, test } from "bun:test";
import { pastedName } from "./pasted-name.ts";

const now = new Date(2026, 2, 7, 9, 5, 3);

test.each([
  ["image.png", "image/png", "Pasted image 2026-03-07 at 09.05.03.png"],
  ["image.jpg", "image/jpeg", "Pasted image 2026-03-07 at 09.05.03.jpg"],
  ["", "image/webp", "Pasted image 2026-03-07 at 09.05.03.webp"],
  ["", "", "Pasted file 2026-03-07 at 09.05.03"],
  ["my image.png", "image/png", "my image.png"],
  ["report.pdf", "application/pdf", "report.pdf"],
])("names a pasted %p of type %p %s", (name, type, expected) => {
  expect(pastedName({ name, type }, now)).toBe(expected);
});
