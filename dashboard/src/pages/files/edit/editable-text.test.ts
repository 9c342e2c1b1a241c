import { expect, test } from "bun:test";
import { readEditable, toStored } from "./editable-text.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function edit(stored: string, change: (text: string) => string): string {
  const editable = readEditable(bytes(stored));
  if (editable === undefined) throw new Error("is not UTF-8");
  return toStored(editable, change(editable.text));
}

test.each([
  "",
  "a",
  "a\nb\n",
  "a\r\nb\r\n",
  "\uFEFFa\r\nb",
  "a\rb\r",
  "a\r\nb\nc\rd\r\n\r\n",
  "\r\n\r\n",
])("%j stays as it is if nothing is changed", (stored) => {
  expect(edit(stored, (text) => text)).toBe(stored);
});

test("new lines get the line end that most lines have, and others keep theirs", () => {
  expect(edit("a\r\nb\r\nc\nd\r\n", (text) => text.replace("b\n", "b\nnew\nlines\n"))).toBe(
    "a\r\nb\r\nnew\r\nlines\r\nc\nd\r\n",
  );
  expect(edit("a\r\nb", (text) => `${text}\nc\n`)).toBe("a\r\nb\r\nc\r\n");
  expect(edit("a\r\nb\nc\r\nd", (text) => text.replace("b\n", ""))).toBe("a\r\nc\r\nd");
});

test("the byte order mark is no part of the text, and stays", () => {
  expect(readEditable(bytes("\uFEFFa"))?.text).toBe("a");
  expect(edit("\uFEFFa", () => "b")).toBe("\uFEFFb");
});

test("other encodings are not editable", () => {
  expect(readEditable(new Uint8Array([0x63, 0x61, 0x66, 0xe9]))).toBeUndefined();
  expect(readEditable(new Uint8Array([0xff, 0xfe, 0x61, 0x00]))).toBeUndefined();
});
