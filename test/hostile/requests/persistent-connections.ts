import {
  bodyIsEmptyObject,
  chunked,
  closed,
  DIGITS,
  get,
  HEALTH,
  head,
  KEY,
  kept,
  post,
  type RequestCase,
} from "./request-case.ts";

const body = '{"folder":1}';
const files = (...lines: string[]): string =>
  head("POST", "/api/files", "Content-Type: multipart/form-data; boundary=B", ...lines);

const length = "Content-Length: 20";
const half = "0123456789";

/** Requests that are answered before their body is complete. */
const early: readonly (readonly [
  status: number,
  name: string,
  head: string,
  firstPiece: string,
  secondPiece: string,
])[] = [
  [401, "401", files(length), half, half],
  [
    401,
    "401 to a chunked body",
    files("Transfer-Encoding: chunked"),
    "5\r\n--B\r",
    "\n\r\n0\r\n\r\n",
  ],
  [400, "400 to a form", files(`API-Key: ${KEY}`, length), "--B\r\nX\r\n\r\n", "0123456789"],
  [405, "405", head("PATCH", "/api/files", `API-Key: ${KEY}`, length), half, half],
  [404, "404", head("POST", "/api/none", `API-Key: ${KEY}`, length), half, half],
  [405, "405 for a hosted file", head("POST", "/api/hosting/digits.txt", length), half, half],
  [200, "200 to a GET with a body", get(HEALTH, length), half, half],
  [413, "413", post("Content-Length: 1048577"), half, "x".repeat(1_048_567)],
];

/** Several requests on one connection, Expect, and responses before the end of the body. */
export const persistentConnections: readonly RequestCase[] = [
  {
    section: "9112 §9.3",
    title: "two requests",
    send: [get(HEALTH), get("/api/hosting/digits.txt")],
    outcome: { statuses: [200, 200], connection: "kept", body: DIGITS },
  },
  {
    section: "9112 §9.3",
    title: "a request with a body, then another request",
    send: [`${post("Content-Length: 2")}{}`, get(HEALTH)],
    outcome: { statuses: [400, 200], connection: "kept" },
  },
  {
    section: "9112 §9.3",
    title: "a chunked request, then another request",
    send: [chunked("2\r\n{}\r\n0\r\n\r\n"), get(HEALTH)],
    outcome: { statuses: [400, 200], connection: "kept" },
  },
  {
    section: "9112 §9.3",
    title: "a 304, then another request",
    send: [get("/api/hosting/digits.txt", "If-None-Match: *"), get(HEALTH)],
    outcome: { statuses: [304, 200], connection: "kept" },
  },
  {
    section: "9112 §9.3",
    title: "a HEAD, then another request",
    send: [head("HEAD", "/api/hosting/digits.txt"), get(HEALTH)],
    outcome: { statuses: [200, 200], connection: "kept" },
  },
  {
    section: "9112 §9.3",
    title: "a 416, then another request",
    send: [get("/api/hosting/digits.txt", "Range: bytes=99-"), get(HEALTH)],
    outcome: { statuses: [416, 200], connection: "kept" },
  },
  {
    section: "9112 §9.6",
    title: "a request after Connection: close is not answered",
    send: `${get(HEALTH, "Connection: close")}${get(HEALTH)}`,
    outcome: closed(200),
  },
  {
    section: "9112 §9.6",
    title: "a request after an HTTP/1.0 request is not answered",
    send: `GET ${HEALTH} HTTP/1.0\r\nHost: a\r\n\r\n${get(HEALTH)}`,
    outcome: closed(200),
  },
  {
    section: "9112 §9.6",
    title: "a request after a malformed request is not answered",
    send: `GET ${HEALTH} HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n${get(HEALTH)}`,
    outcome: closed(400),
  },
  {
    section: "9112 §6.3",
    title: "bytes after a too short Content-Length are not answered as a request",
    send: `${post("Content-Length: 2")}{}${body}\r\n\r\n`,
    outcome: { statuses: [400, 400], connection: "closed" },
  },
  {
    section: "9112 §11.2",
    title: "a request smuggled in a body is not answered",
    send: `${post(`Content-Length: ${get(HEALTH).length}`)}${get(HEALTH)}`,
    outcome: kept(400, { body: /not valid JSON/ }),
  },
  {
    section: "9112 §11.2",
    title: "a request smuggled in a chunk is not answered",
    send: chunked(`${get(HEALTH).length.toString(16)}\r\n${get(HEALTH)}\r\n0\r\n\r\n`),
    outcome: kept(400, { body: /not valid JSON/ }),
  },
  {
    section: "9112 §3.2",
    title: "a request in two pieces",
    send: [get(HEALTH).slice(0, 9), get(HEALTH).slice(9)],
    outcome: kept(200),
  },
  {
    section: "9112 §3.2",
    title: "a request split within its final CRLF",
    send: [get(HEALTH).slice(0, -3), get(HEALTH).slice(-3, -1), "\n"],
    outcome: kept(200),
  },
  {
    section: "9112 §5",
    title: "a request byte by byte",
    send: [...get(HEALTH)],
    outcome: kept(200),
  },

  {
    section: "9110 §10.1.1",
    title: "Expect: 100-continue",
    send: [post("Content-Length: 2", "Expect: 100-continue"), "{}"],
    outcome: kept(400, { continues: 1, ...bodyIsEmptyObject }),
  },
  {
    section: "9110 §10.1.1",
    title: "Expect: 100-CONTINUE, which the runtime does not recognize",
    send: [post("Content-Length: 2", "Expect: 100-CONTINUE"), "{}"],
    outcome: kept(400, bodyIsEmptyObject),
  },
  {
    section: "9110 §10.1.1",
    title: "Expect: 100-continue with the body already sent",
    send: `${post("Content-Length: 2", "Expect: 100-continue")}{}`,
    outcome: kept(400, { continues: 1, ...bodyIsEmptyObject }),
  },
  {
    section: "9110 §10.1.1",
    title: "another expectation is ignored",
    send: `${post("Content-Length: 2", "Expect: coffee")}{}`,
    outcome: kept(400, bodyIsEmptyObject),
  },
  {
    section: "9110 §10.1.1",
    title: "Expect: 100-continue without a key: the body is read and ignored",
    send: [head("POST", "/api/folders", "Content-Length: 2", "Expect: 100-continue"), "{}"],
    outcome: kept(401, { continues: 1 }),
  },

  ...early.map(
    ([status, name, head, firstPiece, secondPiece]): RequestCase => ({
      section: "9110 §15.5",
      title: `${name} before the body is complete: its rest is ignored`,
      send: [`${head}${firstPiece}`, secondPiece],
      outcome: kept(status),
    }),
  ),
];
