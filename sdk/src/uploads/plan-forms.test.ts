import { expect, test } from "bun:test";
import fc from "fast-check";
import type { FolderItem } from "./folder-items.ts";
import { planForms } from "./plan-forms.ts";

const items = fc.array(
  fc.record({ folder: fc.constantFrom("", "a", "a/b", "c"), size: fc.nat({ max: 50 }) }),
  { maxLength: 60 },
);

test("divides all files into requests of one folder, within the limits where a file allows it", () => {
  const limits = { files: 7, bytes: 40 };
  fc.assert(
    fc.property(items, (list) => {
      const all = list.map(
        ({ folder, size }, at): FolderItem => ({
          folder,
          size,
          name: `f${at}`,
          modified: undefined,
          content: { content: new Uint8Array(size), name: `f${at}` },
        }),
      );
      const forms = planForms(all, limits);
      expect(new Set(forms.flat())).toEqual(new Set(all));
      expect(forms.flat()).toHaveLength(all.length);
      for (const form of forms) {
        expect(new Set(form.map(({ folder }) => folder)).size).toBe(1);
        expect(form.length).toBeLessThanOrEqual(limits.files);
        const bytes = form.reduce((sum, { size }) => sum + size, 0);
        expect(bytes <= limits.bytes || form.length === 1).toBe(true);
      }
    }),
  );
});
