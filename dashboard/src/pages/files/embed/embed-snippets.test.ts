import { expect, test } from "bun:test";
import { type EmbedInput, embedSnippets, scaledTo } from "./embed-snippets.ts";

const URL = "https://files.example.com/api/hosting/photos/harbour_(1).jpg?v=3f0c9a51d2b84e67";

const photo: EmbedInput = {
  name: "harbour_(1).jpg",
  mimeType: "image/jpeg",
  isPrivate: false,
  url: URL,
  dimensions: { width: 1600, height: 1067 },
  candidates: [
    { url: `${URL}&size=small`, width: 320 },
    { url: URL, width: 1600 },
  ],
};

const of = (input: EmbedInput) =>
  Object.fromEntries(embedSnippets(input).map(({ format, code }) => [format, code]));

test("an image has all its sizes in HTML and React", () => {
  const { HTML, React } = of(photo);
  expect(HTML).toBe(`<img src="${URL}"
     srcset="${URL}&amp;size=small 320w, ${URL} 1600w"
     sizes="(max-width: 1600px) 100vw, 1600px"
     width="1600"
     height="1067"
     alt="harbour (1)"
     loading="lazy">`);
  expect(React).toContain(`srcSet={"${URL}&size=small 320w, ${URL} 1600w"}`);
  expect(React).toContain("width={1600}");
});

test("what ends an address in Markdown and BBCode is encoded", () => {
  const snippets = of({ ...photo, name: "a[b]_c.jpg" });
  expect(snippets.Markdown).toBe(
    `![a\\[b\\]\\_c.jpg](${URL.replace("(", "%28").replace(")", "%29")})`,
  );
  expect(snippets.BBCode).toBe(`[img]${URL}[/img]`);
});

test("Next.js gets the dimensions and permission for the host", () => {
  const { "Next.js": code } = of(photo);
  expect(code).toContain('new URL("https://files.example.com/**")');
  expect(code).toContain("height={1067}");
  expect(of({ ...photo, dimensions: undefined })["Next.js"]).toContain("  fill");
});

test("other files are players or links, and their names are no markup", () => {
  const video = of({ ...photo, mimeType: "video/mp4", dimensions: undefined, candidates: [] });
  expect(video.HTML).toBe(`<video controls src="${URL}"></video>`);
  const text = of({ ...photo, name: '<b>"x"', mimeType: "text/plain", candidates: [] });
  expect(text.HTML).toBe(`<a href="${URL}">&lt;b&gt;&quot;x&quot;</a>`);
  expect(text.React).toBe(`<a href={${JSON.stringify(URL)}}>{"<b>\\"x\\""}</a>`);
  expect(text.Markdown).toStartWith('[\\<b\\>"x"](');
});

test("names that look like markup or numbers are text everywhere", () => {
  const file = { ...photo, mimeType: "text/plain", dimensions: undefined, candidates: [] };
  const { BBCode, Markdown } = of({ ...file, name: "[b]~~a~~ &lt; b|c.txt" });
  expect(BBCode).toBe(`[url=${URL}](b)~~a~~ &lt; b|c.txt[/url]`);
  expect(Markdown).toStartWith("[\\[b\\]\\~\\~a\\~\\~ \\&lt; b\\|c.txt](");
  expect(of({ ...photo, name: "2024.jpg" }).React).toContain('alt={"2024"}');
});

test("curl sends a key for a private file only", () => {
  expect(of(photo).curl).toBe(`curl -f '${URL}' -o 'harbour_(1).jpg'`);
  expect(of({ ...photo, isPrivate: true }).curl).toContain('-H "API-Key: $HOLDALL_KEY"');
});

test.each([
  [3000, 2000, 800, 800, 533],
  [2000, 3000, 320, 213, 320],
  [100, 50, 320, 100, 50],
  [10_000, 1, 320, 320, 1],
])("%d × %d in at most %d is %d × %d", (width, height, limit, w, h) => {
  expect(scaledTo({ width, height }, limit)).toEqual({ width: w, height: h });
});
