import { expect, test } from "bun:test";
import fc from "fast-check";
import { decodeText } from "./decode-text.ts";

const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const utf8 = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string, isLittle: boolean) => {
  const view = new DataView(new ArrayBuffer(2 + 2 * text.length));
  for (const [at, letter] of [..."\ufeff", ...text].entries()) {
    view.setUint16(2 * at, letter.charCodeAt(0), isLittle);
  }
  return new Uint8Array(view.buffer);
};

test.each([
  ["UTF-8", utf8("Grüße, 日本 👋"), "Grüße, 日本 👋", "UTF-8"],
  ["UTF-8 with a mark", utf8("\ufeffGrüße"), "Grüße", "UTF-8"],
  ["ASCII", utf8("plain"), "plain", "UTF-8"],
  ["nothing", new Uint8Array(), "", "UTF-8"],
  ["Latin-1", latin1("Gr\xfc\xdfe aus K\xf6ln"), "Grüße aus Köln", "Windows-1252"],
  ["Windows-1252", latin1("\x93so\x94 \x96 5 \x80"), "“so” – 5 €", "Windows-1252"],
  ["UTF-16, little endian", utf16("Grüße", true), "Grüße", "UTF-16"],
  ["UTF-16, big endian", utf16("Grüße", false), "Grüße", "UTF-16"],
])("decodes %s", (_name, bytes, text, encoding) => {
  expect(decodeText([bytes])).toEqual({ text, encoding });
});

test.each([
  ["text/plain; charset=Shift_JIS", latin1("\x8c\xc3\x82\xa2"), "古い", "shift_jis"],
  ["text/plain; charset=koi8-r", latin1("\xc0\xc1"), "юа", "koi8-r"],
  ["text/html", latin1('<meta charset="koi8-r">\xc0'), '<meta charset="koi8-r">ю', "koi8-r"],
  ["text/html", utf8("<meta charset=utf-16>ü"), "<meta charset=utf-16>ü", "UTF-8"],
  ["text/html; charset=utf-8", utf8("<meta charset=koi8-r>ü"), "<meta charset=koi8-r>ü", "UTF-8"],
  ["text/plain; charset=koi8-r", utf8("\ufeffü"), "ü", "UTF-8"],
  ["text/plain; charset=unknown", utf8("ü"), "ü", "UTF-8"],
  ["text/plain; charset=utf-8", latin1("Gr\xfc\xdfe"), "Grüße", "Windows-1252"],
])("decodes what is sent as %s", (contentType, bytes, text, encoding) => {
  expect(decodeText([bytes], { contentType })).toEqual({ text, encoding });
  expect(decodeText([bytes], { contentType, chosen: "koi8-u" }).encoding).toBe("koi8-u");
});

test("one invalid byte does not change the encoding of a text", () => {
  const bytes = new Uint8Array([...utf8("Grüße aus Köln "), 0xff]);
  expect(decodeText([bytes])).toEqual({ text: "Grüße aus Köln \ufffd", encoding: "UTF-8" });
});

test("decodes chunks cut anywhere, and leaves out a character cut off at the end", () => {
  const bytes = utf8("äöü 日本 👋 end");
  fc.assert(
    fc.property(fc.nat(bytes.length), fc.nat(bytes.length), (a, b) => {
      const [from, to] = [Math.min(a, b), Math.max(a, b)];
      const chunks = [bytes.slice(0, from), bytes.slice(from, to), bytes.slice(to)];
      expect(decodeText(chunks).text).toBe("äöü 日本 👋 end");
      expect(decodeText([bytes.slice(0, to)]).text).not.toContain("\ufffd");
    }),
  );
});
