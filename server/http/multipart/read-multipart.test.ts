import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Fault, type FaultKind } from "../../rules/fault.ts";
import { type MultipartLimits, usualLimits } from "./limits.ts";
import type { PartHead } from "./part.ts";
import { readMultipart } from "./read-multipart.ts";

const LIMITS = usualLimits(100);
const TYPE = "multipart/form-data; boundary=B";

interface ReadPart extends PartHead {
  readonly content: string;
}

async function* inChunks(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    yield Uint8Array.from(bytes.subarray(start, cut));
    start = Math.max(start, cut);
  }
  yield Uint8Array.from(bytes.subarray(start));
}

async function read(
  body: string | Uint8Array | AsyncIterable<Uint8Array>,
  options: { type?: string | null; limits?: Partial<MultipartLimits> } = {},
): Promise<ReadPart[]> {
  const source =
    typeof body === "string" || body instanceof Uint8Array ? inChunks(Buffer.from(body), []) : body;
  const type = options.type === undefined ? TYPE : options.type;
  const parts: ReadPart[] = [];
  for await (const part of readMultipart(source, type, { ...LIMITS, ...options.limits })) {
    const { body: _, ...head } = part;
    const pieces: Uint8Array[] = [];
    for await (const piece of part.body) pieces.push(Uint8Array.from(piece));
    parts.push({ ...head, content: Buffer.concat(pieces).toString("latin1") });
  }
  return parts;
}

async function expectFault(outcome: Promise<unknown>, kind: FaultKind): Promise<void> {
  const error = await outcome.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof Fault) expect(error.kind).toBe(kind);
  else expect(error).toBeInstanceOf(Fault);
}

/** A form with one part of these header lines. */
const withHead = (...lines: string[]): string =>
  `--B\r\n${lines.map((line) => `${line}\r\n`).join("")}\r\nx\r\n--B--\r\n`;
const part = (name: string, content: string): string =>
  `--B\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`;

describe("what is well formed", () => {
  test("fields and files in their order, with type and name", async () => {
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
    ["no part at all", "--B--\r\n", 0],
    ["no line end after the closing boundary", `${part("a", "")}--B--`, 1],
    ["a preamble and an epilogue", `hello\r\n${part("a", "x")}--B--\r\nbye`, 1],
    ["blanks that were added on the way", `${part("a", "x").replace("--B", "--B \t")}--B-- `, 1],
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
    "Multipart/Form-Data;BOUNDARY=B",
    "multipart/form-data; charset=utf-8; boundary=B; x=y",
  ])("Content-Type: %s", async (type) => {
    expect((await read(`${part("a", "x")}--B--`, { type })).length).toBe(1);
  });

  test("every character that a boundary may have", async () => {
    const boundary = "aZ09'()+_,-./:=? x";
    const body = `${part("a", "x")}--B--`.replaceAll("--B", `--${boundary}`);
    const type = `multipart/form-data; boundary="${boundary}"`;
    expect((await read(body, { type })).length).toBe(1);
  });

  const nameCases: readonly (readonly [string, string])[] = [
    ['filename=""', ""],
    ['filename="a b;c=d.txt"', "a b;c=d.txt"],
    ["filename=plain.txt", "plain.txt"],
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

  test("a field's name is read like a file's", async () => {
    const parts = await read(withHead('Content-Disposition: form-data; name="日%22\\\\"'));
    expect(parts[0]?.name).toBe('日"\\');
  });

  test.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "%s is a name like any other",
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

describe("what is malformed", () => {
  const named = 'Content-Disposition: form-data; name="a"';
  test.each([
    ["no header at all", "--B\r\n\r\nx\r\n--B--\r\n"],
    ["no empty line after the headers", `--B\r\n${named}\r\n--B--\r\n`],
    ["no Content-Disposition", withHead("Content-Type: text/plain")],
    ["another disposition", withHead('Content-Disposition: attachment; name="a"')],
    ["no name", withHead('Content-Disposition: form-data; filename="a"')],
    ["an empty disposition", withHead("Content-Disposition:")],
    ["a disposition that is only quotes", withHead('Content-Disposition: "form-data"; name="a"')],
    ["Content-Disposition twice", withHead(named, named)],
    ["Content-Type twice", withHead(named, "Content-Type: a/b", "content-type: a/b")],
    ["the name twice", withHead(`${named}; NAME="b"`)],
    ["the file name twice", withHead(`${named}; filename="b"; filename="c"`)],
    ["a name without its end", withHead('Content-Disposition: form-data; name="a')],
    ["a name that ends in an escape", withHead('Content-Disposition: form-data; name="a\\"')],
    ["something after the name", withHead(`${named} b`)],
    ["a second quote", withHead(`${named}"b"`)],
    ["blanks without quotes", withHead(`${named}; filename=a b`)],
    ["blanks around the =", withHead(`Content-Disposition: form-data; name = "a"`)],
    ["a comma for a semicolon", withHead(`Content-Disposition: form-data, name="a"`)],
    ["a header without a colon", withHead(named, "what")],
    ["a header without a name", withHead(named, ": x")],
    ["a blank before the colon", withHead('Content-Disposition : form-data; name="a"')],
    ["a folded header", withHead("Content-Disposition: form-data;", ' name="a"')],
    ["NUL in a header", withHead(`${named}; filename="a\0b"`)],
    ["a bare LF in a header", withHead(`${named}; filename="a\nb"`)],
    ["a bare CR in a header", withHead(`${named}; filename="a\rb"`)],
    ["an encoding", withHead(named, "Content-Transfer-Encoding: base64")],
    ["filename* in Latin-1", withHead(`${named}; filename*=ISO-8859-1''%E9`)],
    ["filename* in quotes", withHead(`${named}; filename*="UTF-8''a"`)],
    ["filename* without a charset", withHead(`${named}; filename*=a`)],
    ["filename* with bad percent-encoding", withHead(`${named}; filename*=UTF-8''%4`)],
    ["filename* that is not UTF-8", withHead(`${named}; filename*=UTF-8''%E6%97`)],
    ["an overlong slash in filename*", withHead(`${named}; filename*=UTF-8''%C0%AF`)],
    ["nothing", ""],
    ["no boundary", "hello"],
    ["an end within the first boundary", "--"],
    ["an end within the headers", `--B\r\n${named}`],
    ["an end within the content", part("a", "x")],
    ["an end after a boundary", `${part("a", "x")}--B\r\n`],
    ["an end within the closing boundary", `${part("a", "x")}--B-`],
    ["another boundary at the end", `${part("a", "x")}--C--\r\n`],
    ["bare line feeds", `${part("a", "x")}--B--\r\n`.replaceAll("\r\n", "\n")],
    ["more after the closing boundary's line", `${part("a", "x")}--B--x\r\n`],
  ])("%s", (_, body) => expectFault(read(body), "invalid"));

  test("names in Latin-1", async () => {
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
    ["a boundary of 71", `multipart/form-data; boundary=${"b".repeat(71)}`],
    ["a boundary that ends in a space", 'multipart/form-data; boundary="B "'],
    ["a boundary with a line end", 'multipart/form-data; boundary="B\\\r"'],
    ["two boundaries", "multipart/form-data; boundary=B; boundary=C"],
    ["two headers", "multipart/form-data; boundary=B, multipart/form-data; boundary=B"],
  ])("Content-Type: %s", async (_, type) => {
    await expectFault(read(`${part("a", "x")}--B--`, { type }), "invalid");
  });
});

describe("limits, at the limit and past it", () => {
  const end = "--B--\r\n";
  const head = 'Content-Disposition: form-data; name="a"';
  const headOf = (bytes: number): string => {
    const start = `${head}\r\nX: `;
    return withHead(`${start}${"x".repeat(bytes - start.length)}`);
  };
  const cases: readonly (readonly [keyof MultipartLimits, number, (n: number) => string])[] = [
    ["parts", 3, (n) => part("a", "x").repeat(n) + end],
    ["headers", 5, (n) => withHead(head, ...Array.from({ length: n - 1 }, (_, i) => `X-${i}: y`))],
    ["headerBytes", 300, headOf],
    ["headerBytes", 16_384, headOf],
    ["preambleBytes", 100, (n) => `${"x".repeat(n)}\r\n${part("a", "x")}${end}`],
    ["epilogueBytes", 100, (n) => `${part("a", "x")}${end.trim()}\r\n${"x".repeat(n - 2)}`],
  ];
  test.each(cases)("%s (%d)", async (limit, most, body) => {
    const limits = { [limit]: most };
    for (const cuts of [[], Array.from({ length: 20_000 }, (_, n) => n)]) {
      const chunks = (n: number) => inChunks(Buffer.from(body(n)), cuts);
      expect((await read(chunks(most), { limits })).length).toBeGreaterThan(0);
      const kind = limit.startsWith("header") ? "invalid" : "too_large";
      await expectFault(read(chunks(most + 1), { limits }), kind);
    }
  });

  test("bytes that nobody reads, over all parts", async () => {
    const passOver = async (each: number): Promise<number> => {
      const body = inChunks(Buffer.from(part("a", "x".repeat(each)).repeat(2) + end), []);
      let count = 0;
      for await (const _ of readMultipart(body, TYPE, { ...LIMITS, unreadBytes: 100 })) count++;
      return count;
    };
    expect(await passOver(50)).toBe(2);
    await expectFault(passOver(51), "too_large");
  });

  test("headers without end are given up on at the limit, not at the end", async () => {
    let sent = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("--B\r\n");
      for (; ; sent += 1000) yield Buffer.alloc(1000, "x");
    }
    await expectFault(read(endless()), "invalid");
    expect(sent).toBeLessThan(LIMITS.headerBytes + 2000);
  });
});

describe("backpressure and giving up", () => {
  test("nothing is read before it is asked for", async () => {
    let pulled = 0;
    async function* source(): AsyncGenerator<Uint8Array> {
      pulled++;
      yield Buffer.from(part("a", "").slice(0, -2));
      for (let n = 0; n < 1000; n++) {
        pulled++;
        yield Buffer.alloc(100);
      }
    }
    const form = readMultipart(source(), TYPE, LIMITS);
    expect(pulled).toBe(0);
    const first = await form.next();
    expect(pulled).toBe(1);
    if (first.done) throw new Error("There is a part.");
    const body = first.value.body[Symbol.asyncIterator]();
    await body.next();
    await body.next();
    expect(pulled).toBe(3);
    await form.return();
  });

  test("a consumer that stops lets go of the body", async () => {
    let released = false;
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield Buffer.from(part("a", "x"));
      } finally {
        released = true;
      }
    }
    for await (const each of readMultipart(source(), TYPE, LIMITS)) {
      for await (const _ of each.body) break;
      break;
    }
    expect(released).toBe(true);
  });

  test("a fault lets go of the body", async () => {
    let released = false;
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield Buffer.from("--B\r\nwhat\r\n\r\n");
      } finally {
        released = true;
      }
    }
    await expectFault(read(source()), "invalid");
    expect(released).toBe(true);
  });

  test("a body that breaks is a fault, and a Fault of the body stays what it is", async () => {
    async function* broken(error: Error): AsyncGenerator<Uint8Array> {
      yield Buffer.from(part("a", "x"));
      throw error;
    }
    await expectFault(read(broken(new Error("reset"))), "invalid");
    await expectFault(read(broken(new Fault("limited", "Slower."))), "limited");
  });

  test("a body left half read is passed over", async () => {
    const body = inChunks(Buffer.from(`${part("a", "123456")}${part("b", "x")}--B--`), [50, 52]);
    const names: string[] = [];
    const bodies: AsyncIterable<Uint8Array>[] = [];
    for await (const each of readMultipart(body, TYPE, LIMITS)) {
      for await (const _ of each.body) break;
      names.push(each.name);
      bodies.push(each.body);
    }
    expect(names).toEqual(["a", "b"]);
    for (const old of bodies) for await (const _ of old) throw new Error("It is over.");
  });
});

describe("properties", () => {
  const bytes = (text: string): Buffer => Buffer.from(text, "latin1");
  // Pieces that a search for "\r\n--B" could stumble over.
  const nearBoundary = fc
    .array(
      fc.constantFrom("\r", "\n", "\r\n", "-", "--", "B", "\r\n--", "\r\n--B", "--B--", "x", " "),
      { maxLength: 12 },
    )
    .map((pieces) => pieces.join(""));
  const content = fc
    .oneof(
      nearBoundary,
      fc.uint8Array({ maxLength: 300 }).map((b) => Buffer.from(b).toString("latin1")),
    )
    .filter((text) => !/(^|\r\n)--B(--)?[ \t]*(?=\r\n|$)/.test(text));
  const text = fc.string({ unit: "grapheme", maxLength: 20 }).map((t) => t.toWellFormed());
  const sent = fc.record({
    name: text,
    filename: fc.option(text, { nil: undefined }),
    type: fc.option(fc.constantFrom("text/plain", "image/png"), { nil: undefined }),
    content,
  });
  const quoted = (value: string): string =>
    value.replace(/["\\]/g, "\\$&").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  const encode = (parts: readonly ReadPart[]): Buffer =>
    Buffer.concat([
      ...parts.flatMap((each) => [
        Buffer.from(`--B\r\nContent-Disposition: form-data; name="${quoted(each.name)}"`),
        Buffer.from(each.filename === undefined ? "" : `; filename="${quoted(each.filename)}"`),
        Buffer.from(each.type === undefined ? "" : `\r\nContent-Type: ${each.type}`),
        bytes(`\r\n\r\n${each.content}\r\n`),
      ]),
      bytes("--B--\r\n"),
    ]);
  const parts = fc.array(sent, { maxLength: 6 });
  const cutsOf = (length: number, points: readonly number[]): number[] =>
    points.map((point) => point % (length + 1));

  /** No control characters, which headers cannot carry, and none of the three codes as text. */
  const sendable = (each: ReadPart): boolean =>
    [each.name, each.filename ?? ""].every(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
      (value) => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|%(22|0D|0A)/.test(value),
    );

  test("any form in any chunks comes back exactly", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(sent.filter(sendable), { maxLength: 6 }),
        fc.array(fc.nat(), { maxLength: 30 }),
        async (form, points) => {
          const body = encode(form);
          expect(await read(inChunks(body, cutsOf(body.length, points)))).toEqual(form);
        },
      ),
      { numRuns: 1500 },
    );
  });

  test("byte by byte, too", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sent.filter(sendable), { maxLength: 3 }), async (form) => {
        const body = encode(form);
        const cuts = Array.from(body, (_, n) => n);
        expect(await read(inChunks(body, cuts))).toEqual(form);
      }),
      { numRuns: 150 },
    );
  });

  test("cut short anywhere: a fault, never part of a form", async () => {
    const form = [
      { name: "a", filename: "f", type: "text/plain", content: "\r\n--B-\r\n" },
      { name: "b", filename: undefined, type: undefined, content: "x" },
    ];
    const body = encode(form);
    for (let length = 0; length < body.length - 2; length++) {
      await expectFault(read(body.subarray(0, length)), "invalid");
    }
    await expectFault(read(body.subarray(0, body.length - 1)), "invalid");
    expect(await read(body.subarray(0, body.length - 2))).toEqual(form);
  });

  test("a mangled form: faults only, whatever the chunks, and the chunks change nothing", async () => {
    const mutation = fc.tuple(
      fc.nat(),
      fc.nat({ max: 3 }),
      fc.nat({ max: 255 }),
      fc.nat({ max: 20 }),
    );
    const mangle = (
      body: Buffer,
      changes: readonly (readonly [number, number, number, number])[],
    ) =>
      changes.reduce((bytes, [where, how, byte, length]) => {
        const at = where % (bytes.length + 1);
        const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at)];
        if (how === 0) return Buffer.concat([head, Buffer.of(byte), tail]);
        if (how === 1) return Buffer.concat([head, tail.subarray(length)]);
        if (how === 2) return Buffer.concat([head, tail.subarray(0, length), tail]);
        return Buffer.concat([head, Buffer.of(byte), tail.subarray(1)]);
      }, body);
    const outcome = (body: AsyncIterable<Uint8Array>): Promise<unknown> =>
      read(body).catch((error: unknown) => {
        if (error instanceof Fault) return error.message;
        throw error;
      });
    await fc.assert(
      fc.asyncProperty(
        parts,
        fc.array(mutation, { minLength: 1, maxLength: 5 }),
        fc.array(fc.nat(), { maxLength: 10 }),
        async (form, changes, points) => {
          const body = mangle(encode(form), changes);
          const whole = await outcome(inChunks(body, []));
          expect(await outcome(inChunks(body, cutsOf(body.length, points)))).toEqual(whole);
        },
      ),
      { numRuns: 20_000, seed: 20_260 },
    );
  }, 60_000);
});
