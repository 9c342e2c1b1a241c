import { afterEach, describe, expect, test } from "bun:test";
import { HoldallError } from "../sdk/src/holdall.ts";
import { logoOf } from "../sdk/src/logo.ts";
import { encodePng } from "./image-encoders.ts";
import { get, startLinkServer } from "./link-server.ts";

const { server, holdall, share, fileId } = await startLinkServer();
const { settings } = holdall;
const images = logoOf(holdall);

const png = (width: number, height: number) =>
  new Blob([new Uint8Array(encodePng(width, height, (x) => [x % 256, 100, 50, 128]))], {
    type: "image/png",
  });

const status = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    (error) => (error instanceof HoldallError ? error.status : 0),
  );

afterEach(async () => {
  await settings.change({ instanceName: null, accentColor: null });
  await images.remove();
});

const NAME = "Skov & Søn <b>🌲</b> شركة";
const ESCAPED = "Skov &amp; Søn &lt;b&gt;🌲&lt;/b&gt; شركة";

describe("the name of the instance", () => {
  test("is on every page of a link and in its title", async () => {
    const [url, drop, locked] = [
      await share(),
      await share({ kind: "drop" }),
      await share({ password: "gull" }),
    ];
    const file = await share({ fileId: await fileId("shared/notes.txt") });
    const missing = `${server.url}/api/hosting/missing.txt`;
    for (const page of [url, missing]) {
      expect(await (await get(page)).text()).not.toContain('class="sender"');
    }
    await settings.change({ instanceName: NAME });
    const ended = `${server.url}/s/no`;
    for (const page of [url, `${url}/notes.txt?view=1`, file, drop, locked, ended, missing]) {
      const text = await (await get(page)).text();
      expect(text).toContain(`<bdi>${ESCAPED}</bdi>`);
      expect(text).toMatch(new RegExp(`<title>[^<]+ · ${ESCAPED}</title>`));
      expect(text).toContain(`property="og:site_name" content="${ESCAPED}"`);
    }
  });

  test("and the color are in the page of the dashboard", async () => {
    await settings.change({ instanceName: 'A "$&" name', accentColor: "#FFCC00" });
    const response = await get(`${server.url}/sign-in`);
    if (response.status === 503) return;
    const text = await response.text();
    expect(text).toContain('name="holdall-name" content="A &quot;$&amp;&quot; name"');
    expect(text).toContain('<link rel="stylesheet" href="/brand/colors-ffcc00.css">');
    expect(text).not.toContain("{{");
  });

  test.each(["n".repeat(61), "two\nlines", "turned \u202e around"])("is not %j", async (name) => {
    expect(await status(settings.change({ instanceName: name }))).toBe(400);
  });
});

describe("the color of the instance", () => {
  test("is a style sheet of the pages of links, which they may load", async () => {
    await settings.change({ accentColor: "#ffcc00" });
    const page = await get(await share());
    const path = /href="\.\.\/(brand\/colors-ffcc00\.css)"/.exec(await page.text())?.[1];
    expect(page.headers.get("content-security-policy")).toContain("style-src 'self'");
    const styles = await get(`${server.url}/${path}`);
    expect(styles.headers.get("content-type")).toBe("text/css; charset=utf-8");
    expect(styles.headers.get("cache-control")).toContain("immutable");
    expect(await styles.text()).toMatch(/--accent: light-dark\(#[0-9a-f]{6}, #ffcc00\);/);
  });

  test.each(["yellow", "#fc0", "#ffcc00;", "url(x)"])("is not %j", async (color) => {
    expect(await status(settings.change({ accentColor: color }))).toBe(400);
  });
});

describe("the logo of the instance", () => {
  test("is encoded anew, and shown on the pages of links", async () => {
    const logo = await images.put(png(900, 300));
    expect(logo).toMatchObject({ width: 320, height: 107 });
    expect(await images.read()).toEqual(logo);
    const page = await (await get(await share())).text();
    expect(page).toContain(`src="../${logo?.url}" width="320" height="107"`);
    const image = await get(`${server.url}/${logo?.url}`);
    expect(image.headers.get("content-type")).toBe("image/webp");
    expect(image.headers.get("x-content-type-options")).toBe("nosniff");
    expect(image.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(Buffer.from(await image.arrayBuffer()).toString("latin1", 8, 12)).toBe("WEBP");
    const smaller = await images.put(png(20, 10));
    expect(smaller).toMatchObject({ width: 20, height: 10 });
    expect((await get(`${server.url}/${logo?.url}`)).status).toBe(404);
    expect(await images.remove()).toBeNull();
    expect((await get(`${server.url}/${smaller?.url}`)).status).toBe(404);
  });

  test.each([
    ["an SVG", '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>', 415],
    ["a GIF", "GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000", 415],
    ["text", "not a picture", 415],
    ["nothing", "", 415],
  ])("is not %s", async (_, content, expected) => {
    expect(await status(images.put(new Blob([content])))).toBe(expected);
    expect(await images.read()).toBeNull();
  });

  test("is neither damaged nor large", async () => {
    const whole = new Uint8Array(await png(64, 64).arrayBuffer());
    expect(await status(images.put(new Blob([whole.slice(0, 60)])))).toBe(422);
    expect(await status(images.put(new Blob([new Uint8Array(1024 ** 2 + 1)])))).toBe(413);
    const huge = whole.slice();
    new DataView(huge.buffer).setUint32(16, 100_000);
    new DataView(huge.buffer).setUint32(20, 100_000);
    expect(await status(images.put(new Blob([huge])))).toBe(422);
  });
});
