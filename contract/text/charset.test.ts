import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  charsetGiven,
  charsetLabel,
  charsetOfContent,
  declaredCharset,
  IS_UTF8,
  NOT_KNOWN,
} from "./charset.ts";

const latin1 = (text: string) => Buffer.from(text, "latin1");

test.each([
  ["text/plain; charset=Shift_JIS", "shift_jis"],
  ['text/html;charset="iso-8859-15"', "iso-8859-15"],
  ["Text/CSV; header=present; Charset=utf-8", "utf-8"],
  ["text/plain", null],
  ["text/plain; charset=", null],
  ["text/plain; charset=+", null],
  ['text/plain; charset=a"b', null],
  ["application/json; charset=utf-16", null],
  [undefined, null],
])("%p declares %p", (contentType, charset) => {
  expect(declaredCharset(contentType)).toBe(charset);
});

test("a header can carry any declared charset", () => {
  fc.assert(
    fc.property(fc.string(), (label) => {
      const charset = declaredCharset(`text/plain; charset=${label}`);
      new Headers({ "Content-Type": `text/plain; charset=${charset}` });
      if (charset !== null) expect(charsetLabel(charset)).toBe(charset);
      expect(charsetGiven(charset)).toBe(charset ?? undefined);
    }),
  );
});

test.each<[string, string, Buffer, string]>([
  ["ASCII", "text/plain", latin1("abc"), IS_UTF8],
  ["UTF-8", "text/plain", Buffer.from("Grüße"), IS_UTF8],
  ["nothing", "text/plain", latin1(""), IS_UTF8],
  ["Latin-1", "text/plain", latin1("Gr\xfc\xdfe"), NOT_KNOWN],
  ["UTF-16", "text/plain", Buffer.from("Text", "utf16le"), NOT_KNOWN],
  ["ISO-2022-JP", "text/plain", latin1("\x1b$B8E$$\x1b(B"), NOT_KNOWN],
  ["colors of a terminal", "text/plain", latin1("\x1b[31mred\x1b(B"), IS_UTF8],
  ["a page of Shift_JIS", "text/html", latin1('<meta charset="shift_jis">\x8e\x8e'), NOT_KNOWN],
  ["an ASCII page that names another", "text/html", latin1("<meta charset=koi8-r>"), NOT_KNOWN],
  [
    "a page with the older form",
    "text/html",
    latin1('<META http-equiv="Content-Type" content="text/html; charset=big5">'),
    NOT_KNOWN,
  ],
  ["a page that names UTF-8", "text/html", Buffer.from("<meta charset=UTF-8>ü"), IS_UTF8],
  ["a comment with a name", "text/html", Buffer.from("<!-- <meta charset=koi8-r> -->ü"), IS_UTF8],
  ["an empty comment", "text/html", latin1("<!--><meta charset=koi8-r>-->"), NOT_KNOWN],
  ["a comment that does not end", "text/html", latin1("<!-- <meta charset=koi8-r>"), IS_UTF8],
  [
    "a page that is about charsets",
    "text/html",
    Buffer.from('<meta name="description" content="Why charset=koi8-r?">ü'),
    IS_UTF8,
  ],
  [
    "a page whose content comes first",
    "text/html",
    latin1("<meta content='text/html; charset=big5' http-equiv=content-type>"),
    NOT_KNOWN,
  ],
  [
    "a page with a second name",
    "text/html",
    Buffer.from("<meta charset=utf-8><meta charset=koi8-r>ü"),
    IS_UTF8,
  ],
  ["a longer name of an element", "text/html", Buffer.from("<metadata charset=koi8-r>ü"), IS_UTF8],
  ["another attribute", "text/html", Buffer.from("<meta data-charset=koi8-r>ü"), IS_UTF8],
  ["a mark before another name", "text/html", Buffer.from("\ufeff<meta charset=koi8-r>"), IS_UTF8],
  ["plain text about pages", "text/plain", latin1("<meta charset=koi8-r>"), IS_UTF8],
  ["a style sheet", "text/css", latin1('@charset "iso-8859-1"; a{}'), NOT_KNOWN],
  ["XML", "text/xml", latin1('<?xml version="1.0" encoding="windows-1251"?>'), NOT_KNOWN],
])("the content of %s", (_name, type, bytes, charset) => {
  expect(charsetOfContent(type, bytes, true)).toBe(charset);
});

test("a character that the end of the sample cuts is no error, one that the end of the file cuts is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1 }), fc.nat(), (text, at) => {
      const bytes = Buffer.from(text.toWellFormed().replaceAll("\0", "").replaceAll("\x1b", ""));
      const start = bytes.subarray(0, at % (bytes.length + 1));
      expect(charsetOfContent("text/plain", start, false)).toBe(IS_UTF8);
    }),
  );
  expect(charsetOfContent("text/plain", Buffer.from("ü").subarray(0, 1), true)).toBe(NOT_KNOWN);
});

describe("the content of anything", () => {
  const type = fc.constantFrom("text/plain", "text/html", "text/css", "text/xml", "text/csv");
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.string({ unit: "binary", maxLength: 20 }).map((text) => Buffer.from(text.toWellFormed())),
    fc
      .constantFrom(
        ...['<meta charset="', "<meta ", "charset=", "UTF-8", "koi8-r", '">', '@charset "', '";'],
        ...[
          "<?xml ",
          'encoding="',
          "?>",
          "\x1b$B",
          "\x1b(J",
          "\x1b",
          "\0",
          "\ufeff",
          "\ud83d\udc4b",
        ],
        "a".repeat(1020),
      )
      .map((text) => Buffer.from(text)),
    fc.constantFrom("\xff\xfe", "\xe3\x81", "\xed\xa0\x80", "\xc0\x80", "\xf4\x90").map(latin1),
  );
  const content = fc.array(piece, { maxLength: 8 }).map((pieces) => Buffer.concat(pieces));
  const decode = (bytes: Uint8Array, stream: boolean) =>
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream });

  test("never fails, and what is called UTF-8 is UTF-8", () => {
    fc.assert(
      fc.property(type, content, fc.boolean(), (mimeType, bytes, isWhole) => {
        const charset = charsetOfContent(mimeType, bytes, isWhole);
        expect([IS_UTF8, NOT_KNOWN]).toContain(charset ?? "");
        if (charset === IS_UTF8) expect(() => decode(bytes, !isWhole)).not.toThrow();
        // The verdict on a whole text is also the verdict on the same bytes as the start of a longer one.
        if (isWhole && charset === IS_UTF8) {
          expect(charsetOfContent(mimeType, bytes, false)).toBe(IS_UTF8);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test("a start has the same charset with and without the bytes of a character that it cuts", () => {
    const cut = fc
      .tuple(fc.constantFrom("\u00fc", "\u3042", "\ud83d\udc4b"), fc.nat(2))
      .map(([letter, most]) => {
        const bytes = Buffer.from(letter);
        return bytes.subarray(0, 1 + (most % (bytes.length - 1)));
      });
    fc.assert(
      fc.property(type, content, cut, (mimeType, bytes, rest) => {
        fc.pre(bytes.length === 0 || (bytes.at(-1) ?? 0) < 0x80);
        expect(charsetOfContent(mimeType, Buffer.concat([bytes, rest]), false)).toBe(
          charsetOfContent(mimeType, bytes, false),
        );
      }),
      { numRuns: 2000 },
    );
  });
});
