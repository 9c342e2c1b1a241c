import { describe, expect, test } from "bun:test";
import { encodeJpeg } from "./image-encoders.ts";
import { get, startLinkServer, visitCookie } from "./link-server.ts";

const { holdall, share } = await startLinkServer();

describe("a gallery", () => {
  const folder = "gallery";
  const photo = () =>
    encodeJpeg(1600, 1200, (x, y) => [(x * 31 + y * 17) % 256, (x * y) % 256, (y * 7) % 256]);

  test("loads small pictures, also private ones, with the authority of the link only", async () => {
    const original = await photo();
    for (const name of ["one.jpg", "two.jpg"]) {
      const options = { name, folder, visibility: "private" } as const;
      await holdall.files.upload(new Blob([new Uint8Array(original)]), options);
    }
    await holdall.files.upload(new Blob(["no picture"]), { name: "broken.png", folder });
    const id = (await holdall.folders.browse({ key: folder })).folder.id;
    const url = await share({ folderId: id });
    const page = await get(url);
    const cookie = visitCookie(page);
    const sources = [...(await page.text()).matchAll(/<img src="([^"]+)"/g)].map(([, source]) =>
      new URL((source ?? "").replaceAll("&amp;", "&"), url).toString(),
    );
    expect(sources).toHaveLength(3);
    const headers = { Accept: "image/webp,*/*", Cookie: cookie };
    const isBroken = (source: string): boolean => source.includes("broken");
    for (const source of sources.filter((each) => !isBroken(each))) {
      const response = await get(source, headers);
      expect(response.headers.get("content-type")).toBe("image/webp");
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
      const bytes = await response.bytes();
      expect(bytes.length).toBeLessThan(original.length / 4);
      const { width, height } = await new Bun.Image(bytes).metadata();
      expect([width, height]).toEqual([320, 240]);
    }
    // The page of a photo has it in the size of the screen, and the original behind it.
    const shown = await (
      await get(`${url}/one.jpg?view=1`, { ...headers, Accept: "text/html" })
    ).text();
    const [, large = ""] = /<img src="([^"]+size=large)"/.exec(shown) ?? [];
    const whole = await get(
      new URL(large.replaceAll("&amp;", "&"), `${url}/one.jpg`).href,
      headers,
    );
    expect(whole.headers.get("content-type")).toBe("image/webp");
    expect(shown).toMatch(/<source media="[^"]+" srcset="[^"]+size=medium">/);
    expect(shown).toMatch(/<a class="stage picture" href="[^"?]+\/one\.jpg"/);
    // What cannot be scaled comes as it is.
    const broken = await get(sources.find(isBroken) ?? "", headers);
    expect(await broken.text()).toBe("no picture");
    expect((await get(`${url}/one.jpg?size=huge`, headers)).status).toBe(400);
    const { links } = await holdall.links.list();
    const link = links.find((each) => url.endsWith(each.url ?? "-"));
    await holdall.links.revoke(link?.id ?? "");
    for (const source of sources) expect((await get(source, headers)).status).toBe(404);
  });
});
