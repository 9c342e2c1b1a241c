import { describe, expect, test } from "bun:test";
import { expectFault, part, read, withHead } from "./form.fixture.ts";

describe("accepts well-formed forms", () => {
  test("returns fields and files in order, with type and name", async () => {
    const body = [
      part("folder", "a/b"),
      '--B\r\ncontent-type: text/plain; charset=x\r\nCONTENT-DISPOSITION: Form-Data; filename="a.txt"; name="files"\r\nX-Other: y\r\n\r\nline\r\n\r\n\r\n',
      "--B--\r\n",
    ].join("");
    expect(await read(body)).toEqual([
      { name: "folder", filename: undefined, type: undefined, content: "a/b" },
      {
        name: "files",
        filename: "a.txt",
        type: "text/plain; charset=x",
        content: "line\r\n\r\n",
      },
    ]);
  });

  test.each([
    ["no part", "--B--\r\n", 0],
    ["no line end after the closing boundary", `${part("a", "")}--B--`, 1],
    ["a preamble and an epilogue", `hello\r\n${part("a", "x")}--B--\r\nbye`, 1],
    ["transport padding after the boundary", `${part("a", "x").replace("--B", "--B \t")}--B-- `, 1],
    [
      "a part without content or an empty line before the boundary",
      `${part("a", "").slice(0, -2)}--B--`,
      1,
    ],
    ["empty parameters", withHead('Content-Disposition: form-data; ; name="a";'), 1],
  ])("%s", async (_, body, count) => {
    expect((await read(body)).length).toBe(count);
  });

  test.each([
    'multipart/form-data; boundary="B"',
    'multipart/form-data; boundary="\\B"',
    "Multipart/Form-Data;BOUNDARY=B",
    "multipart/form-data; charset=utf-8; boundary=B; x=y",
  ])("Content-Type: %s", async (type) => {
    expect((await read(`${part("a", "x")}--B--`, { type })).length).toBe(1);
  });

  test("accepts a boundary of 70 characters and rejects one of 71", async () => {
    const send = (boundary: string) =>
      read(`${part("a", "x")}--B--`.replaceAll("--B", `--${boundary}`), {
        type: `multipart/form-data; boundary=${boundary}`,
      });
    expect((await send("b".repeat(70))).length).toBe(1);
    await expectFault(send("b".repeat(71)), "invalid");
  });

  test("accepts every character that a boundary may have", async () => {
    const boundary = "aZ09'()+_,-./:=? x";
    const body = `${part("a", "x")}--B--`.replaceAll("--B", `--${boundary}`);
    const type = `multipart/form-data; boundary="${boundary}"`;
    expect((await read(body, { type })).length).toBe(1);
  });

  const nameCases: readonly (readonly [string, string])[] = [
    ['filename=""', ""],
    ['filename="a b;c=d.txt"', "a b;c=d.txt"],
    ["filename=plain.txt", "plain.txt"],
    ["filename=a%22b", "a%22b"],
    ['filename="%22a%0D%0Ab%22"', '"a\r\nb"'],
    ['filename="100%.txt"', "100%.txt"],
    ['filename="%41%2F.txt"', "%41%2F.txt"],
    [String.raw`filename="a\"b\\c"`, String.raw`a"b\c`],
    [String.raw`filename="C:\dir\a.txt"`, String.raw`C:\dir\a.txt`],
    [String.raw`filename="..\..\a"`, String.raw`..\..\a`],
    ['filename="日本語 😀.txt"', "日本語 😀.txt"],
    ["filename=\"x\"; filename*=UTF-8''%E6%97%A5%20a.txt", "日 a.txt"],
    ["filename*=utf-8'en'a%2Fb; filename=\"x\"", "a/b"],
    ['filename="\ufeffa"', "\ufeffa"],
  ];
  test.each(nameCases)("%s", async (parameter, filename) => {
    const parts = await read(withHead(`Content-Disposition: form-data; name="f"; ${parameter}`));
    expect(parts[0]?.filename).toBe(filename);
  });

  test("decodes a field name like a file name", async () => {
    const parts = await read(withHead('Content-Disposition: form-data; name="日%22\\\\"'));
    expect(parts[0]?.name).toBe('日"\\');
  });

  test.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "accepts %s as a part, header and parameter name",
    async (name) => {
      const body = `${part(name, "x")}--B\r\n${name}: y\r\nContent-Disposition: form-data; name="b"; ${name}=z\r\n\r\n\r\n--B--`;
      expect((await read(body)).map((each) => each.name)).toEqual([name, "b"]);
    },
  );

  test.each(["binary", "8BIT", "7bit"])("Content-Transfer-Encoding: %s", async (encoding) => {
    const head = 'Content-Disposition: form-data; name="a"';
    expect((await read(withHead(head, `Content-Transfer-Encoding: ${encoding}`))).length).toBe(1);
  });
});

describe("rejects malformed forms", () => {
  const named = 'Content-Disposition: form-data; name="a"';
  test.each([
    ["no header", "--B\r\n\r\nx\r\n--B--\r\n"],
    ["no empty line after the headers", `--B\r\n${named}\r\n--B--\r\n`],
    ["no Content-Disposition", withHead("Content-Type: text/plain")],
    ["another disposition", withHead('Content-Disposition: attachment; name="a"')],
    ["a byte order mark", withHead(`\ufeff${named}`)],
    ["no name", withHead('Content-Disposition: form-data; filename="a"')],
    ["an empty disposition", withHead("Content-Disposition:")],
    ["a disposition that is only quotes", withHead('Content-Disposition: "form-data"; name="a"')],
    ["Content-Disposition twice", withHead(named, named)],
    ["Content-Type twice", withHead(named, "Content-Type: a/b", "content-type: a/b")],
    ["the name twice", withHead(`${named}; NAME="b"`)],
    ["the file name twice", withHead(`${named}; filename="b"; filename="c"`)],
    ["a name without a closing quote", withHead('Content-Disposition: form-data; name="a')],
    ["a name that ends in an escape", withHead('Content-Disposition: form-data; name="a\\"')],
    ["text after the name", withHead(`${named} b`)],
    ["a second quote", withHead(`${named}"b"`)],
    ["a space without quotes", withHead(`${named}; filename=a b`)],
    ["spaces around the =", withHead(`Content-Disposition: form-data; name = "a"`)],
    ["a comma instead of a semicolon", withHead(`Content-Disposition: form-data, name="a"`)],
    ["a header without a colon", withHead(named, "what")],
    ["a header without a name", withHead(named, ": x")],
    ["a space before the colon", withHead('Content-Disposition : form-data; name="a"')],
    ["a folded header", withHead("Content-Disposition: form-data;", ' name="a"')],
    ["NUL in a header", withHead(`${named}; filename="a\0b"`)],
    ["a bare LF in a header", withHead(`${named}; filename="a\nb"`)],
    ["a bare CR in a header", withHead(`${named}; filename="a\rb"`)],
    ["a Content-Transfer-Encoding", withHead(named, "Content-Transfer-Encoding: base64")],
    ["filename* in Latin-1", withHead(`${named}; filename*=ISO-8859-1''%E9`)],
    ["filename* in quotes", withHead(`${named}; filename*="UTF-8''a"`)],
    ["filename* without a charset", withHead(`${named}; filename*=a`)],
    ["filename* with bad percent-encoding", withHead(`${named}; filename*=UTF-8''%4`)],
    ["filename* that is not UTF-8", withHead(`${named}; filename*=UTF-8''%E6%97`)],
    ["an overlong slash in filename*", withHead(`${named}; filename*=UTF-8''%C0%AF`)],
    ["an empty body", ""],
    ["no boundary", "hello"],
    ["truncated within the first boundary", "--"],
    ["truncated within the headers", `--B\r\n${named}`],
    ["truncated within the content", part("a", "x")],
    ["truncated after a boundary", `${part("a", "x")}--B\r\n`],
    ["truncated within the closing boundary", `${part("a", "x")}--B-`],
    ["another boundary at the end", `${part("a", "x")}--C--\r\n`],
    ["bare line feeds", `${part("a", "x")}--B--\r\n`.replaceAll("\r\n", "\n")],
    ["text after the closing boundary on its line", `${part("a", "x")}--B--x\r\n`],
  ])("%s", (_, body) => expectFault(read(body), "invalid"));

  test("rejects names in Latin-1", async () => {
    const body = Buffer.from(withHead(`${named}; filename="\u00e9"`), "latin1");
    await expectFault(read(body), "invalid");
  });

  test.each([
    ["none", null],
    ["empty", ""],
    ["JSON", "application/json"],
    ["another multipart", "multipart/mixed; boundary=B"],
    ["no boundary", "multipart/form-data"],
    ["an empty boundary", 'multipart/form-data; boundary=""'],
    ["an empty boundary without quotes", "multipart/form-data; boundary="],
    ["a boundary that ends in a space", 'multipart/form-data; boundary="B "'],
    ["a boundary with a line end", 'multipart/form-data; boundary="B\\\r"'],
    ["two boundaries", "multipart/form-data; boundary=B; boundary=C"],
    ["two headers", "multipart/form-data; boundary=B, multipart/form-data; boundary=B"],
  ])("Content-Type: %s", async (_, type) => {
    await expectFault(read(`${part("a", "x")}--B--`, { type }), "invalid");
  });
});
