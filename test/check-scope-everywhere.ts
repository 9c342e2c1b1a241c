import { expect } from "bun:test";
import { api, type Reachable, unique } from "./client.ts";
import { expectData } from "./expectations.ts";
import { newKeyData } from "./shapes.ts";

/**
 * Checks that `others` see at once what requests to `one` change about the reach of a limited key: moves
 * of its folder, and the revocation of the key that created it.
 */
export async function checkScopeEverywhere(
  one: Reachable,
  others: readonly Reachable[],
): Promise<void> {
  const a = api(one);
  const create = async (apiKey: string, body: object) => {
    const wanted = { name: unique("key"), ...body };
    const answer = await api({ ...one, apiKey }).json("POST", "/api/keys", wanted);
    return expectData(answer, newKeyData);
  };
  const place = async (key: string): Promise<string> => (await a.browse(key)).folder.id;
  const top = unique("top");
  const file = await a.put(`${top}/in/file.txt`, "content", { visibility: "private" });
  const topId = await place(top);
  const parent = await create(one.apiKey, { folder: top, actions: ["list", "keys"] });
  const child = await create(parent.secret, { folder: `${top}/in`, actions: ["list"] });

  async function expectEverywhere(status: number, key: string): Promise<void> {
    const expected = status === 200 ? [file.id] : [];
    for (const other of others) {
      const reader = api({ ...other, apiKey: child.secret });
      const found = await reader.get(`/api/files?id=${file.id}`);
      expect([found.status, found.text.includes(`"${key}/file.txt"`)]).toEqual([
        status,
        status === 200,
      ]);
      if (status === 401) continue;
      expect((await reader.list()).map(({ id }) => id)).toEqual(expected);
    }
  }

  await expectEverywhere(200, `${top}/in`);
  await a.json("PUT", "/api/folders", { id: file.folderId, parentId: await place("") });
  await expectEverywhere(404, "in");
  await a.json("PUT", "/api/folders", { id: file.folderId, parentId: topId });
  await expectEverywhere(200, `${top}/in`);
  const renamed = unique("renamed");
  await a.json("PUT", "/api/folders", { id: topId, name: renamed });
  await expectEverywhere(200, `${renamed}/in`);
  await a.json("DELETE", "/api/keys", { id: parent.key.id });
  await expectEverywhere(401, `${renamed}/in`);
}
