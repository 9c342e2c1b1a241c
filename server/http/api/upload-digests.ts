import { Fault } from "../../domain/faults/fault.ts";
import type { Sha256 } from "../../domain/records.ts";
import { parseSha256 } from "../../domain/sha256.ts";

/**
 * Compares the files of an upload with its `sha256` fields: the first field belongs to the first
 * file, and so on, whether it comes before or after the file. Fault "invalid": a digest differs.
 */
export interface DigestComparison {
  /** A file that was stored. */
  addActual(filename: string, digest: Sha256): void;
  /** The text of a field. Empty: its file is not compared. Fault "invalid": it is no digest. */
  addExpected(text: string): void;
  /** Fault "invalid": there are fields, but not one for each file. */
  end(): void;
}

export function createDigestComparison(): DigestComparison {
  const files: { readonly filename: string; readonly digest: Sha256 }[] = [];
  const expected: (Sha256 | null)[] = [];

  function compare(index: number): void {
    const file = files[index];
    const digest = expected[index];
    if (file === undefined || digest === undefined || digest === null) return;
    if (file.digest === digest) return;
    throw new Fault(
      "invalid",
      `The SHA-256 of "${file.filename}" is ${file.digest}, but \`sha256\` says ${digest}. Nothing was stored.`,
      { code: "digest_mismatch", details: { expected: digest, actual: file.digest } },
    );
  }

  return {
    addActual: (filename, digest) => compare(files.push({ filename, digest }) - 1),
    addExpected: (text) => compare(expected.push(text === "" ? null : parseSha256(text)) - 1),
    end() {
      if (expected.length === 0 || expected.length === files.length) return;
      throw new Fault(
        "invalid",
        `There are ${files.length} files, but ${expected.length} fields \`sha256\`: send one for each file, in the same order. An empty one is not compared.`,
      );
    },
  };
}
