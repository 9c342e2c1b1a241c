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

/** Requests that are answered before their body is there: the status, what, head, and body in two pieces. */
const early: readonly (readonly [number, string, string, string, string])[] = [
  [401, "401", files(length), half, half],
  [401, "401 to chunks", files("Transfer-Encoding: chunked"), "5\r\n--B\r", "\n\r\n0\r\n\r\n"],
  [400, "400 to a form", files(`API-Key: ${KEY}`, length), "--B\r\nX\r\n\r\n", "0123456789"],
  [405, "405", head("PATCH", "/api/files", `API-Key: ${KEY}`, length), half, half],
  [404, "404", head("POST", "/api/none", `API-Key: ${KEY}`, length), half, half],
  [405, "405 of hosting", head("POST", "/api/hosting/digits.txt", length), half, half],
  [200, "a body of GET", get(HEALTH, length), half, half],
  [413, "413", post("Content-Length: 1048577"), half, "x".repeat(1_048_567)],
];

/** Several requests on one connection, Expect, and answers that come before the body has. */
export const persistentConnections: readonly RequestCase[] = [
  {
    section: "9112 §9.3",
    what: "one after another",
    send: [get(HEALTH), get("/api/hosting/digits.txt")],
    outcome: { answers: [200, 200], connection: "kept", body: DIGITS },
  },
  {
    section: "9112 §9.3",
    what: "a body, then a request",
    send: [`${post("Content-Length: 2")}{}`, get(HEALTH)],
    outcome: { answers: [400, 200], connection: "kept" },
  },
  {
    section: "9112 §9.3",
    what: "chunks, then a request",
    send: [chunked("2\r\n{}\r\n0\r\n\r\n"), get(HEALTH)],
    outcome: { answers: [400, 200], connection: "kept" },
  },
  {
    section: "9112 §9.3",
    what: "a 304, then a request",
    send: [get("/api/hosting/digits.txt", "If-None-Match: *"), get(HEALTH)],
    outcome: { answers: [304, 200], connection: "kept" },
  },
  {
    section: "9112 §9.3",
    what: "HEAD, then a request",
    send: [head("HEAD", "/api/hosting/digits.txt"), get(HEALTH)],
    outcome: { answers: [200, 200], connection: "kept" },
  },
  {
    section: "9112 §9.3",
    what: "a 416, then a request",
    send: [get("/api/hosting/digits.txt", "Range: bytes=99-"), get(HEALTH)],
    outcome: { answers: [416, 200], connection: "kept" },
  },
  {
    section: "9112 §9.6",
    what: "what comes after Connection: close is not answered",
    send: `${get(HEALTH, "Connection: close")}${get(HEALTH)}`,
    outcome: closed(200),
  },
  {
    section: "9112 §9.6",
    what: "nor after HTTP/1.0",
    send: `GET ${HEALTH} HTTP/1.0\r\nHost: a\r\n\r\n${get(HEALTH)}`,
    outcome: closed(200),
  },
  {
    section: "9112 §9.6",
    what: "nor after what was refused",
    send: `GET ${HEALTH} HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n${get(HEALTH)}`,
    outcome: closed(400),
  },
  {
    section: "9112 §6.3",
    what: "a length too short leaves no request behind",
    send: `${post("Content-Length: 2")}{}${body}\r\n\r\n`,
    outcome: { answers: [400, 400], connection: "closed" },
  },
  {
    section: "9112 §11.2",
    what: "a request hidden in a body stays there",
    send: `${post(`Content-Length: ${get(HEALTH).length}`)}${get(HEALTH)}`,
    outcome: kept(400, { body: /not valid JSON/ }),
  },
  {
    section: "9112 §11.2",
    what: "a request hidden in a chunk stays there",
    send: chunked(`${get(HEALTH).length.toString(16)}\r\n${get(HEALTH)}\r\n0\r\n\r\n`),
    outcome: kept(400, { body: /not valid JSON/ }),
  },
  {
    section: "9112 §3.2",
    what: "a request in two pieces",
    send: [get(HEALTH).slice(0, 9), get(HEALTH).slice(9)],
    outcome: kept(200),
  },
  {
    section: "9112 §3.2",
    what: "a request cut in its line end",
    send: [get(HEALTH).slice(0, -3), get(HEALTH).slice(-3, -1), "\n"],
    outcome: kept(200),
  },
  {
    section: "9112 §5",
    what: "a request byte by byte",
    send: [...get(HEALTH)],
    outcome: kept(200),
  },

  {
    section: "9110 §10.1.1",
    what: "Expect: 100-continue",
    send: [post("Content-Length: 2", "Expect: 100-continue"), "{}"],
    outcome: kept(400, { interim: 1, ...bodyIsEmptyObject }),
  },
  {
    section: "9110 §10.1.1",
    what: "in capitals, which the runtime does not know",
    send: [post("Content-Length: 2", "Expect: 100-CONTINUE"), "{}"],
    outcome: kept(400, bodyIsEmptyObject),
  },
  {
    section: "9110 §10.1.1",
    what: "with the body already sent",
    send: `${post("Content-Length: 2", "Expect: 100-continue")}{}`,
    outcome: kept(400, { interim: 1, ...bodyIsEmptyObject }),
  },
  {
    section: "9110 §10.1.1",
    what: "another expectation is passed over",
    send: `${post("Content-Length: 2", "Expect: coffee")}{}`,
    outcome: kept(400, bodyIsEmptyObject),
  },
  {
    section: "9110 §10.1.1",
    what: "without a key, the body is sent and the connection is kept",
    send: [head("POST", "/api/folders", "Content-Length: 2", "Expect: 100-continue"), "{}"],
    outcome: kept(401, { interim: 1 }),
  },

  ...early.map(
    ([status, what, head, begin, rest]): RequestCase => ({
      section: "9110 §15.5",
      what: `${what}, while the body comes: its rest is passed over`,
      send: [`${head}${begin}`, rest],
      outcome: kept(status),
    }),
  ),
];
