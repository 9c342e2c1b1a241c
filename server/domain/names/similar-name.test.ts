import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { similarName } from "./similar-name.ts";

const KNOWN = ["folder", "visibility", "metadata", "onConflict", "sha256"];

test.each([
  ["visiblity", "visibility"],
  ["Visibility", "visibility"],
  ["visibilty", "visibility"],
  ["visbilty", "visibility"],
  ["on_conflict", "onConflict"],
  ["on-conflict", "onConflict"],
  ["onconflict", "onConflict"],
  ["[folder]", "folder"],
  ["folders", "folder"],
  ["fodler", "folder"],
  ["SHA-256", "sha256"],
  ["meta_data", "metadata"],
  ["caption", undefined],
  ["relativePath", undefined],
  ["visible", undefined],
  ["directory", undefined],
  ["", undefined],
  ["sha1", undefined],
])("%j resembles %j", (name, expected) => {
  expect(similarName(name, KNOWN)).toBe(expected);
});

describe("a name", () => {
  const word = fc.stringMatching(/^[a-z]{5,12}$/);
  const letter = fc.stringMatching(/^[a-z]$/);

  test("resembles itself with two letters changed, added or left out", () => {
    const change = fc.record({ at: fc.nat(), remove: fc.nat(1), letter: fc.option(letter) });
    fc.assert(
      fc.property(word, fc.array(change, { maxLength: 2 }), (name, changes) => {
        let changed = name;
        for (const { at, remove, letter: added } of changes) {
          const place = at % changed.length;
          changed = changed.slice(0, place) + (added ?? "") + changed.slice(place + remove);
        }
        expect(similarName(changed, [name])).toBe(name);
        expect(similarName(name, [changed])).toBe(changed);
      }),
    );
  });

  test("resembles no name that is three letters longer", () => {
    fc.assert(
      fc.property(word, fc.stringMatching(/^[a-z]{3,9}$/), (name, more) => {
        expect(similarName(name + more, [name])).toBeUndefined();
        expect(similarName(more + name, [name])).toBeUndefined();
      }),
    );
  });
});
