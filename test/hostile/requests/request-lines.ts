import { closed, DIGITS, get, HEALTH, head, KEY, kept, type RequestCase } from "./request-case.ts";

const lines = (...all: string[]): string => [...all, "", ""].join("\r\n");
const withField = (field: string): string => get(HEALTH, field);
const keyed = `API-Key: ${KEY}`;

/** Methods (RFC 9110, section 9), versions, and the lines of a head (RFC 9112, sections 2 to 5). */
export const requestLines: readonly RequestCase[] = [
  { section: "9110 §9.3.1", what: "GET", send: get(HEALTH), outcome: kept(200) },
  {
    section: "9110 §9.3.2",
    what: "HEAD has no body",
    send: head("HEAD", HEALTH),
    outcome: kept(200),
  },
  {
    section: "9110 §9.3.2",
    what: "HEAD tells the length of what GET has",
    send: head("HEAD", "/api/hosting/digits.txt"),
    outcome: kept(200, { headers: { "content-length": "10" } }),
  },
  {
    section: "9110 §9.3.2",
    what: "HEAD of what is missing",
    send: head("HEAD", "/api/hosting/none"),
    outcome: kept(404),
  },
  ...[
    "POST",
    "PUT",
    "DELETE",
    "PATCH",
    "OPTIONS",
    "TRACE",
    "PROPFIND",
    "PURGE",
    "QUERY",
    "LOCK",
  ].map(
    (method): RequestCase => ({
      section: "9110 §15.5.6",
      what: `${method} where only GET is`,
      send: head(method, HEALTH),
      outcome: kept(405, { headers: { allow: "GET, HEAD" } }),
    }),
  ),
  ...["POST", "PUT", "DELETE", "PATCH", "TRACE"].map(
    (method): RequestCase => ({
      section: "9110 §15.5.6",
      what: `${method} on a hosted file`,
      send: head(method, "/api/hosting/digits.txt"),
      outcome: kept(405, { headers: { allow: "GET, HEAD" } }),
    }),
  ),
  {
    section: "9110 §9.3.6",
    what: "CONNECT opens no tunnel",
    send: lines("CONNECT a:80 HTTP/1.1", "Host: a:80"),
    outcome: closed(400),
  },
  {
    section: "9110 §9.3.8",
    what: "TRACE gives nothing back",
    send: head("TRACE", HEALTH, "Cookie: secret=1"),
    outcome: kept(405, { body: /^(?!.*secret)/ }),
  },
  {
    section: "9110 §9.1",
    what: "an unknown method reads, and changes nothing",
    send: head("FOO", HEALTH),
    outcome: kept(200),
  },
  {
    section: "9110 §9.1",
    what: "an unknown method opens nothing without a key",
    send: head("FOO", "/api/files"),
    outcome: kept(401),
  },
  {
    section: "9110 §9.1",
    what: "a known method in lower case is the known one, with its checks",
    send: `${head("delete", "/api/files", keyed, "Content-Length: 11")}{"id":"no"}`,
    outcome: kept(404, { body: /File not found/ }),
  },
  {
    section: "9110 §9.1",
    what: "nor is it another one without a key",
    send: `${head("delete", "/api/files", "Content-Length: 11")}{"id":"no"}`,
    outcome: kept(401),
  },
  {
    section: "9110 §9.1",
    what: "characters that no method has",
    send: head("G@T", HEALTH),
    outcome: closed(400),
  },
  {
    section: "9110 §9.1",
    what: "a colon in the method",
    send: head("X:", HEALTH),
    outcome: closed(400),
  },
  {
    section: "9112 §3",
    what: "no method",
    send: lines(` ${HEALTH} HTTP/1.1`, "Host: a"),
    outcome: closed(400),
  },

  {
    section: "9112 §2.3",
    what: "HTTP/1.0, which is closed",
    send: lines(`GET ${HEALTH} HTTP/1.0`, "Host: a"),
    outcome: closed(200),
  },
  ...[
    "HTTP/1.2",
    "HTTP/2.0",
    "HTTP/0.9",
    "HTTP/1.10",
    "HTTP/1",
    "http/1.1",
    "HTTPS/1.1",
    "HTTP/1.1x",
    "XTTP/1.1",
  ].map(
    (version): RequestCase => ({
      section: "9110 §15.6.6",
      what: `the version ${version}`,
      send: lines(`GET ${HEALTH} ${version}`, "Host: a"),
      outcome: closed(505),
    }),
  ),
  {
    section: "9112 §2.3",
    what: "no version",
    send: lines(`GET ${HEALTH}`, "Host: a"),
    outcome: closed(505),
  },
  {
    section: "9113 §3.4",
    what: "the preface of HTTP/2",
    send: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    outcome: closed(400),
  },
  {
    section: "8446 §5.1",
    what: "the beginning of TLS",
    send: "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    outcome: closed(400),
  },

  {
    section: "9112 §3",
    what: "two spaces in the request line",
    send: lines(`GET  ${HEALTH} HTTP/1.1`, "Host: a"),
    outcome: closed(400),
  },
  {
    section: "9112 §3",
    what: "a tab in the request line",
    send: lines(`GET\t${HEALTH} HTTP/1.1`, "Host: a"),
    outcome: closed(505),
  },
  {
    section: "9112 §3",
    what: "a space behind the version",
    send: lines(`GET ${HEALTH} HTTP/1.1 `, "Host: a"),
    outcome: closed(505),
  },
  {
    section: "9112 §2.2",
    what: "an empty line before the request",
    send: `\r\n${get(HEALTH)}`,
    outcome: closed(400),
  },
  {
    section: "9112 §2.2",
    what: "a request line ended by LF",
    send: `GET ${HEALTH} HTTP/1.1\nHost: a\r\n\r\n`,
    outcome: closed(505),
  },
  {
    section: "9112 §2.2",
    what: "a field ended by LF",
    send: `GET ${HEALTH} HTTP/1.1\r\nHost: a\nX: b\r\n\r\n`,
    outcome: closed(400),
  },
  {
    section: "9112 §2.2",
    what: "a bare CR in a field",
    send: withField("X: a\rb"),
    outcome: closed(400),
  },
  {
    section: "9112 §2.2",
    what: "white space between request line and fields",
    send: lines(`GET ${HEALTH} HTTP/1.1`, " X: a", "Host: a"),
    outcome: closed(400),
  },
  {
    section: "9112 §5.1",
    what: "white space before the colon",
    send: withField("X : a"),
    outcome: closed(400),
  },
  {
    section: "9112 §5.2",
    what: "a folded field",
    send: withField("X: a\r\n b"),
    outcome: closed(400),
  },
  {
    section: "9112 §5.2",
    what: "a folded Content-Length",
    send: withField("Content-Length:\r\n 5"),
    outcome: closed(400),
  },
  {
    section: "9110 §5.5",
    what: "a NUL in a value",
    send: withField("X: a\0b"),
    outcome: closed(400),
  },
  {
    section: "9110 §5.5",
    what: "a control character in a value",
    send: withField("X: a\x01b"),
    outcome: closed(400),
  },
  {
    section: "9110 §5.5",
    what: "a DEL in a value is passed on",
    send: withField("X: a\x7fb"),
    outcome: kept(200),
  },
  {
    section: "9110 §5.5",
    what: "bytes above ASCII in a value",
    send: withField("X: \xe9"),
    outcome: kept(200),
  },
  {
    section: "9110 §5.5",
    what: "blanks around a value",
    send: get("/api/hosting/digits.txt", "Range: \t bytes=0-1 \t"),
    outcome: kept(206, { body: "01" }),
  },
  { section: "9110 §5.5", what: "an empty value", send: withField("X:"), outcome: kept(200) },
  {
    section: "9112 §5",
    what: "a line without a colon",
    send: withField("X"),
    outcome: closed(400),
  },
  { section: "9110 §5.1", what: "no name", send: withField(": a"), outcome: closed(400) },
  ...["X(", "X[", "X/", "X@", 'X"', "X\xe9", "X Y", "X\0"].map(
    (name): RequestCase => ({
      section: "9110 §5.1",
      what: `the name ${JSON.stringify(name)}`,
      send: withField(`${name}: a`),
      outcome: closed(400),
    }),
  ),
  {
    section: "9110 §5.1",
    what: "names in any case",
    send: get("/api/files", `aPI-kEY: ${KEY}`),
    outcome: kept(200),
  },
  {
    section: "9110 §5.3",
    what: "an API-Key twice is none",
    send: get("/api/files", keyed, keyed),
    outcome: kept(401),
  },
  {
    section: "9110 §5.4",
    what: "150 fields",
    send: get(HEALTH, ...Array.from({ length: 150 }, (_, at) => `X${at}: a`)),
    outcome: kept(200),
  },
  {
    section: "9110 §5.4",
    what: "5,000 fields",
    send: get(HEALTH, ...Array.from({ length: 5_000 }, (_, at) => `X${at}: a`)),
    outcome: closed(431),
  },
  {
    section: "9110 §5.4",
    what: "a field of 100,000 bytes",
    send: withField(`X: ${"a".repeat(100_000)}`),
    outcome: closed(431),
  },

  {
    section: "9112 §9.6",
    what: "Connection: close",
    send: get(HEALTH, "Connection: close"),
    outcome: closed(200),
  },
  {
    section: "9112 §9.6",
    what: "close in capitals among others",
    send: get(HEALTH, "Connection: x, CLOSE"),
    outcome: closed(200),
  },
  {
    section: "9112 §9.3",
    what: "Connection: keep-alive",
    send: get(HEALTH, "Connection: keep-alive"),
    outcome: kept(200),
  },
  {
    section: "9110 §7.8",
    what: "an upgrade to h2c is passed over",
    send: get(
      HEALTH,
      "Connection: Upgrade, HTTP2-Settings",
      "Upgrade: h2c",
      "HTTP2-Settings: AAMAAABkAAQAAP__",
    ),
    outcome: kept(200),
  },
  {
    section: "9110 §7.8",
    what: "an upgrade to a socket is passed over",
    send: get(
      HEALTH,
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    ),
    outcome: kept(200),
  },
  {
    section: "9110 §7.6.1",
    what: "a field that Connection names is still the sender's own",
    send: get("/api/files", keyed, "Connection: API-Key"),
    outcome: kept(200),
  },
  {
    section: "9110 §12.5.3",
    what: "an encoding that is asked for is no must",
    send: get("/api/hosting/digits.txt", "Accept-Encoding: gzip, identity;q=0"),
    outcome: kept(200, { body: DIGITS }),
  },
];
