import type { Answer } from "../test/answer.ts";
import { api, type Reachable } from "../test/client.ts";
import { expectData } from "../test/expectations.ts";
import { field, filePart } from "../test/multipart.ts";
import { filesAnswer } from "../test/shapes.ts";
import { digestOf, type Inventory, withFile } from "./inventory.ts";

/** Files to be uploaded, by key; all of them go into one folder. */
export type Bundle = ReadonlyMap<string, Uint8Array>;

/** One request with all files of the bundle. */
export function upload(server: Reachable, bundle: Bundle): Promise<Answer> {
  const [first = ""] = bundle.keys();
  const folder = first.slice(0, Math.max(first.lastIndexOf("/"), 0));
  const parts = [...bundle].map(([key, content]) =>
    filePart(key.slice(key.lastIndexOf("/") + 1), content),
  );
  return api(server).upload([field("folder", folder), ...parts]);
}

/** The ledger with these files, whose ids nobody knows yet. */
export function withBundle(holdings: Inventory, bundle: Bundle): Inventory {
  let all = holdings;
  for (const [key, content] of bundle) {
    all = withFile(all, key, {
      id: null,
      visibility: "public",
      size: content.length,
      digest: digestOf(content),
    });
  }
  return all;
}

/** The ledger with these files and the ids that the answer gave them. Throws when it is no success. */
export function withAnswer(holdings: Inventory, bundle: Bundle, answer: Answer): Inventory {
  let all = withBundle(holdings, bundle);
  for (const { id, key } of expectData(answer, filesAnswer).files) {
    const file = all.files.get(key);
    if (file === undefined) throw new Error(`The answer names ${key}, which was not sent.`);
    all = withFile(all, key, { ...file, id });
  }
  return all;
}
