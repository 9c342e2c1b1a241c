import { expect, test } from "bun:test";
import { nameInUrl, urlsOf } from "./urls-of.ts";

test("reads one URL a line, each once", () => {
  expect(
    urlsOf(" https://a.example/x.mov \n\nhttp://b.example/y\nhttps://a.example/x.mov"),
  ).toEqual({
    urls: ["https://a.example/x.mov", "http://b.example/y"],
  });
});

test.each(["ftp://a.example/x", "a.example/x.mov", "https://", "file:///etc/passwd"])(
  "%s is no URL of a file",
  (text) => {
    expect(urlsOf(`https://a.example/x\n${text}`).wrong).toBe(text);
  },
);

test.each([
  ["https://a.example/films/hafen%20a.mov?x=1", "hafen a.mov"],
  ["https://a.example/films/", "films"],
  ["https://a.example", "a.example"],
  ["https://a.example/%E0%A4%A", "%E0%A4%A"],
])("%s is known as %s", (url, name) => {
  expect(nameInUrl(url)).toBe(name);
});
