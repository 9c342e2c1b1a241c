import { afterAll, describe, expect, test } from "bun:test";
import { api, unique } from "./client.ts";
import { startServer } from "./harness.ts";
import { codeOf, lifetimeRequests } from "./lifetime-requests.ts";

const server = await startServer({ KEEP_VERSIONS: "true" });
afterAll(() => server.discard());
const a = api(server);
const { post, put, tus, endOf } = lifetimeRequests(server);

const HOUR = 3600;
const IN_AN_HOUR = () => new Date(Date.now() + HOUR * 1000).toISOString();

describe("lifetimes that are none", () => {
  test("past, too late, or no times, are refused, and nothing is stored", async () => {
    const top = unique("bad");
    const { key } = await a.put(`${top}/f`);
    const wrong = [
      ["expiresIn", "0"],
      ["expiresIn", "-5"],
      ["expiresIn", "soon"],
      ["expiresIn", "1e99"],
      ["expiresIn", "999999999999999"],
      ["expiresAt", "2020-01-01T00:00:00Z"],
      ["expiresAt", "10000-01-01T00:00:00Z"],
      ["expiresAt", "2026-02-31"],
      ["expiresAt", "tomorrow"],
    ] as const;
    for (const [name, value] of wrong) {
      const refused = [400, "invalid_lifetime"];
      const query = `&${name}=${encodeURIComponent(value)}`;
      expect([name, value, ...codeOf(await put(`${top}/new`, query))]).toEqual([
        name,
        value,
        ...refused,
      ]);
      expect(codeOf(await post("/api/files", { folder: top, [name]: value }, "new"))).toEqual(
        refused,
      );
    }
    expect((await a.get(`/api/files?key=${top}/new`)).status).toBe(404);
    const both = { expiresIn: 5, expiresAt: IN_AN_HOUR() };
    expect(codeOf(await a.json("PUT", "/api/files", { key, ...both }))).toEqual([
      400,
      "invalid_lifetime",
    ]);
    const past = { key, expiresAt: "2020-01-01" };
    expect(codeOf(await a.json("PUT", "/api/files", past))).toEqual([400, "invalid_lifetime"]);
    for (const body of [
      { key, expiresIn: "5" },
      { key, expiresIn: 0 },
      { key, expiresAt: 5 },
      { key, expiresAt: "10000-01-01" },
    ]) {
      expect(codeOf(await a.json("PUT", "/api/files", body))).toEqual([400, "invalid_request"]);
    }
    const folder = { key: top };
    for (const expireAfter of [-1, 0.5, "5", 3_153_600_001]) {
      const answer = await a.json("PUT", "/api/folders", { ...folder, expireAfter });
      expect(codeOf(answer)).toEqual([400, "invalid_request"]);
    }
  });

  test("are refused wherever files come later or are copied, and nothing is made", async () => {
    const top = unique("later");
    const { id, key } = await a.put(`${top}/f`);
    const { id: folderId } = await a.folder(`${top}/drop`);
    const wrong = [
      ["ExpiresIn", 0],
      ["ExpiresIn", -1],
      ["ExpiresIn", "5"],
      ["ExpiresIn", 1e99],
      ["ExpiresAt", "2020-01-01T00:00:00Z"],
      ["ExpiresAt", "10000-01-01"],
      ["ExpiresAt", "soon"],
      ["ExpiresAt", 5],
    ] as const;
    const drop = await a.json("POST", "/api/links", { folderId, kind: "drop" });
    const { id: linkId } = JSON.parse(drop.text).data.link;
    const before = [await a.list(), (await a.get("/api/links")).text];
    for (const [field, value] of wrong) {
      const later = { [`file${field}`]: value };
      const own = { [`e${field.slice(1)}`]: value };
      const answers = {
        upload: await a.json("POST", "/api/uploads", { folder: top, name: "n", size: 0, ...later }),
        batch: await a.json("POST", "/api/batches", { folder: top, ...later }),
        link: await a.json("POST", "/api/links", { folderId, kind: "drop", ...later }),
        changedLink: await a.json("PUT", "/api/links", { id: linkId, ...later }),
        copy: await a.json("POST", "/api/files/copy", { key, name: "copy", ...own }),
        change: await a.json("PUT", "/api/files", { ids: [id], ...own }),
      };
      for (const [name, answer] of Object.entries(answers)) {
        const [status, code] = codeOf(answer);
        expect([name, field, value, status]).toEqual([name, field, value, 400]);
        expect(["invalid_request", "invalid_lifetime"]).toContain(code);
      }
      // In `Upload-Metadata` every value is text.
      if (value === "5") continue;
      const byTus = await tus({ filename: "t", folder: top, [`e${field.slice(1)}`]: `${value}` });
      expect([field, value, byTus.status]).toEqual([field, value, 400]);
    }
    expect([await a.list(), (await a.get("/api/links")).text]).toEqual(before);
  });

  test("are those of files in the trash and of versions, which get none", async () => {
    const top = unique("none");
    const { id, key } = await a.put(`${top}/f`);
    await put(key, "&onConflict=replace", "new content");
    const versions = await a.get(`/api/files/versions?id=${id}`);
    const [version] = JSON.parse(versions.text).data.versions;
    const restored = await a.json("POST", "/api/trash/restore", { ids: [id], expiresIn: 5 });
    expect(codeOf(restored)).toEqual([400, "unknown_field"]);
    const ofVersion = await a.json("POST", "/api/files/versions/restore", { id, expiresIn: 5 });
    expect(codeOf(ofVersion)).toEqual([400, "unknown_field"]);
    await a.json("PUT", "/api/files", { id, expiresIn: HOUR });
    await a.json("DELETE", "/api/files", { id, trash: true });
    for (const gone of [id, version.id]) {
      const change = await a.json("PUT", "/api/files", { id: gone, expiresIn: 5 });
      expect(codeOf(change)).toEqual([404, "not_found"]);
      expect((await a.get(`/api/files/lifetime?id=${gone}`)).status).toBe(404);
    }
    await a.json("POST", "/api/trash/restore", { ids: [id] });
    expect(await endOf(key)).toBeNull();
  });
});
