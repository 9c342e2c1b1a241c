import { api, type Reachable } from "../test/client.ts";
import { expectData } from "../test/expectations.ts";
import type { HttpResponse } from "../test/http-response.ts";
import { field, filePart } from "../test/multipart.ts";
import { filesData } from "../test/shapes.ts";
import { digestOf, type Inventory, withFile } from "./inventory.ts";

/** Files to upload in one request, by key; all in one folder. */
export type Bundle = ReadonlyMap<string, Uint8Array>;

/** Uploads the bundle in one request. */
export function upload(server: Reachable, bundle: Bundle): Promise<HttpResponse> {
  const [first = ""] = bundle.keys();
  const folder = first.slice(0, Math.max(first.lastIndexOf("/"), 0));
  const parts = [...bundle].map(([key, content]) =>
    filePart(key.slice(key.lastIndexOf("/") + 1), content),
  );
  return api(server).upload([field("folder", folder), ...parts]);
}

/** The inventory with these files, whose ids are unknown. */
export function withBundle(inventory: Inventory, bundle: Bundle): Inventory {
  let all = inventory;
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

/** The inventory with these files and the ids from the response. Throws if it is not a success. */
export function withAnswer(inventory: Inventory, bundle: Bundle, answer: HttpResponse): Inventory {
  let all = withBundle(inventory, bundle);
  for (const { id, key } of expectData(answer, filesData).files) {
    const file = all.files.get(key);
    if (file === undefined) throw new Error(`The response contains ${key}, which was not sent.`);
    all = withFile(all, key, { ...file, id });
  }
  return all;
}
