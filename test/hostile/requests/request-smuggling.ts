import {
  bodyIsEmptyObject,
  chunked,
  closed,
  get,
  HEALTH,
  head,
  kept,
  post,
  type RequestCase,
} from "./request-case.ts";

const bothLengths = "Content-Length: 2\r\nTransfer-Encoding: chunked";
const encoded = (coding: string) => `${post(`Transfer-Encoding: ${coding}`)}2\r\n{}\r\n0\r\n\r\n`;
const withLength = (length: string) => `${post(`Content-Length: ${length}`)}{}`;

/**
 * HTTP request smuggling: the server rejects every message framing (RFC 9112, section 6) that a
 * proxy could interpret differently, and closes the connection.
 */
export const requestSmuggling: readonly RequestCase[] = [
  {
    section: "9112 §6.2",
    title: "Content-Length",
    send: withLength("2"),
    outcome: kept(400, bodyIsEmptyObject),
  },
  {
    section: "9112 §6.2",
    title: "Content-Length with leading zeros",
    send: withLength("0002"),
    outcome: kept(400, bodyIsEmptyObject),
  },
  {
    section: "9110 §8.6",
    title: "two equal Content-Lengths",
    send: withLength("2\r\nContent-Length: 2"),
    outcome: kept(400, bodyIsEmptyObject),
  },
  {
    section: "9112 §6.3",
    title: "two different Content-Lengths",
    send: withLength("2\r\nContent-Length: 3"),
    outcome: closed(400),
  },
  {
    section: "9112 §6.3",
    title: "a Content-Length that is a list",
    send: withLength("2, 3"),
    outcome: closed(400),
  },
  {
    section: "9110 §8.6",
    title: "a Content-Length that is a list of equal values",
    send: withLength("2, 2"),
    outcome: closed(400),
  },
  ...["+2", "-2", "0x2", "2.0", "2e0", "", "two", "2 2", "2;", "٢", "99999999999999999999999"].map(
    (length): RequestCase => ({
      section: "9110 §8.6",
      title: `Content-Length ${JSON.stringify(length)}`,
      send: withLength(Buffer.from(length).toString("latin1")),
      outcome: closed(400),
    }),
  ),
  {
    section: "9112 §6.1",
    title: "CL.TE: Content-Length before Transfer-Encoding",
    send: `${post(bothLengths)}2\r\n{}\r\n0\r\n\r\n`,
    outcome: closed(400),
  },
  {
    section: "9112 §6.1",
    title: "TE.CL: Transfer-Encoding before Content-Length",
    send: `${post("Transfer-Encoding: chunked", "Content-Length: 2")}2\r\n{}\r\n0\r\n\r\n`,
    outcome: closed(400),
  },
  {
    section: "9112 §6.1",
    title: "CL.TE: Content-Length 0 and a request in place of the chunks",
    send: `${post("Content-Length: 0", "Transfer-Encoding: chunked")}${get(HEALTH)}`,
    outcome: closed(400),
  },
  {
    section: "9112 §7",
    title: "Transfer-Encoding: Chunked",
    send: encoded("Chunked"),
    outcome: kept(400, bodyIsEmptyObject),
  },
  ...[
    "identity",
    "gzip",
    "gzip, chunked",
    "chunked, gzip",
    "chunked, chunked",
    "xchunked",
    "chunkedx",
    "chunked;q=1",
    "\x0bchunked",
    "chun ked",
    '"chunked"',
    "",
  ].map(
    (coding): RequestCase => ({
      section: "9112 §6.1",
      title: `Transfer-Encoding ${JSON.stringify(coding)}`,
      send: encoded(coding),
      outcome: closed(400),
    }),
  ),
  {
    section: "9112 §6.1",
    title: "TE.TE: two Transfer-Encodings",
    send: `${post("Transfer-Encoding: chunked", "Transfer-Encoding: identity")}2\r\n{}\r\n0\r\n\r\n`,
    outcome: closed(400),
  },
  {
    section: "9112 §6.1",
    title: "Transfer-Encoding in HTTP/1.0",
    send: encoded("chunked").replace("HTTP/1.1", "HTTP/1.0"),
    outcome: closed(400),
  },
  {
    section: "9112 §5.1",
    title: "TE.TE: a space before the colon of Transfer-Encoding",
    send: `${post("Transfer-Encoding : chunked")}2\r\n{}\r\n0\r\n\r\n`,
    outcome: closed(400),
  },
  {
    section: "9112 §6.3",
    title: "no body where JSON is expected",
    send: post(),
    outcome: kept(400, { body: /not valid JSON/ }),
  },
  {
    section: "9112 §6.3",
    title: "the body of a GET is ignored",
    send: `${get(HEALTH, "Content-Length: 5")}hello`,
    outcome: kept(200),
  },
  {
    section: "9112 §6.3",
    title: "the chunked body of a GET is ignored",
    send: `${get(HEALTH, "Transfer-Encoding: chunked")}5\r\nhello\r\n0\r\n\r\n`,
    outcome: kept(200),
  },
  {
    section: "9112 §6.3",
    title: "a request in the body of a GET is not answered",
    send: `${get(HEALTH, `Content-Length: ${get("/api/x").length}`)}${get("/api/x")}`,
    outcome: kept(200),
  },
  {
    section: "9112 §6.3",
    title: "the body of a HEAD is ignored",
    send: `${head("HEAD", HEALTH, "Content-Length: 5")}hello`,
    outcome: kept(200),
  },
  {
    section: "9112 §7.1",
    title: "a body in two chunks",
    send: chunked("1\r\n{\r\n1\r\n}\r\n0\r\n\r\n"),
    outcome: kept(400, bodyIsEmptyObject),
  },
  {
    section: "9112 §7.1",
    title: "a body in chunks, byte by byte",
    send: [chunked(""), ..."1\r\n{\r\n1\r\n}\r\n0\r\n\r\n"],
    outcome: kept(400, bodyIsEmptyObject),
  },
  {
    section: "9112 §7.1",
    title: "chunk sizes in capitals and with leading zeros",
    send: chunked(`00A\r\n{        }\r\n0\r\n\r\n`),
    outcome: kept(400, bodyIsEmptyObject),
  },
  {
    section: "9112 §7.1",
    title: "a last chunk with several zeros",
    send: chunked("2\r\n{}\r\n000\r\n\r\n"),
    outcome: kept(400, bodyIsEmptyObject),
  },
  {
    section: "9112 §7.1",
    title: "an empty chunked body",
    send: chunked("0\r\n\r\n"),
    outcome: kept(400, { body: /not valid JSON/ }),
  },
  {
    section: "9112 §7.1.1",
    title: "chunk extensions are ignored",
    send: chunked('2;a=b;c="d;e"\r\n{}\r\n0;f\r\n\r\n'),
    outcome: kept(400, bodyIsEmptyObject),
  },
  {
    section: "9112 §7.1.1",
    title: "a chunk extension that ends with a bare LF",
    send: chunked("2;a\n{}\r\n0\r\n\r\n"),
    outcome: closed(400),
  },
  {
    section: "9112 §7.1.1",
    title: "a chunk extension with a bare CR",
    send: chunked("2;a\rb\r\n{}\r\n0\r\n\r\n"),
    outcome: closed(400),
  },
  {
    section: "9112 §7.1.1",
    title: "a chunk extension of 100,000 bytes",
    send: chunked(`2;${"a".repeat(100_000)}\r\n{}\r\n0\r\n\r\n`),
    outcome: closed(413),
  },
  ...[
    "0x2",
    "-2",
    "+2",
    "2 ",
    " 2",
    "\t2",
    "",
    "g",
    "2h",
    "2,2",
    "ffffffffffffffff",
    "10000000000000002",
    "f".repeat(40),
  ].map(
    (size): RequestCase => ({
      section: "9112 §7.1",
      title: `chunk size ${JSON.stringify(size)}`,
      send: chunked(`${size}\r\n{}\r\n0\r\n\r\n`),
      outcome: closed(400),
    }),
  ),
  {
    section: "9112 §7.1",
    title: "a chunk without its CRLF",
    send: chunked("2\r\n{}0\r\n\r\n"),
    outcome: closed(400),
  },
  {
    section: "9112 §7.1",
    title: "a chunk longer than its size",
    send: chunked("2\r\n{}x\r\n0\r\n\r\n"),
    outcome: closed(400),
  },
  {
    section: "9112 §7.1",
    title: "a chunk followed by two bytes that are not CRLF",
    send: chunked("2\r\n{}xx0\r\n\r\n"),
    outcome: closed(400),
  },
  {
    section: "9112 §2.2",
    title: "chunks that end with bare LF",
    send: chunked("2\n{}\n0\n\n"),
    outcome: closed(400),
  },
  {
    section: "9112 §7.1.2",
    title: "announced trailers are rejected before the request takes effect",
    send: chunked('e\r\n{"folder":"t"}\r\n0\r\nX: y\r\n\r\n', "Trailer: X"),
    outcome: { statuses: [400, 400], connection: "closed" },
  },
  {
    section: "9112 §7.1.2",
    title: "unannounced trailers are not read as a request",
    send: chunked("2\r\n{}\r\n0\r\nX: /api/health HTTP/1.1\r\n\r\n"),
    outcome: { statuses: [400, 400], connection: "closed" },
  },
  {
    section: "9112 §7.1.2",
    title: "a request in place of the trailers",
    send: chunked(`2\r\n{}\r\n0\r\n${get(HEALTH)}`),
    outcome: { statuses: [400, 400], connection: "closed" },
  },
  // Some parsers accept any two bytes in place of the final CRLF. The request after them must not
  // be answered.
  ...["XX", "X:", "\n\n", "\rX", "X\n", "GE"].flatMap((end) => [
    {
      section: "9112 §7.1",
      title: `a last chunk followed by ${JSON.stringify(end)} and a request`,
      send: chunked(`2\r\n{}\r\n0\r\n${end}${get(HEALTH)}`),
      outcome: { statuses: [400, 400], connection: "closed" } as const,
    },
    {
      section: "9112 §7.1",
      title: `a last chunk followed by ${JSON.stringify(end)} and a request, in pieces`,
      send: [chunked("2\r\n{}\r\n"), "0\r\n", end.slice(0, 1), `${end.slice(1)}${get(HEALTH)}`],
      outcome: { statuses: [400, 400], connection: "closed" } as const,
    },
  ]),
];
