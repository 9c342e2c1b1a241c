import { closed, DIGITS, get, HEALTH, head, KEY, kept, type RequestCase } from "./request-case.ts";

const lines = (...all: string[]): string => [...all, "", ""].join("\r\n");
const withHeader = (header: string): string => get(HEALTH, header);
const keyHeader = `API-Key: ${KEY}`;

/** Methods (RFC 9110, section 9), versions, request lines and headers (RFC 9112, sections 2 to 5). */
export const requestLines: readonly RequestCase[] = [
  { section: "9110 §9.3.1", title: "GET", send: get(HEALTH), outcome: kept(200) },
  {
    section: "9110 §9.3.2",
    title: "HEAD has no body",
    send: head("HEAD", HEALTH),
    outcome: kept(200),
  },
  {
    section: "9110 §9.3.2",
    title: "HEAD has the Content-Length of GET",
    send: head("HEAD", "/api/hosting/digits.txt"),
    outcome: kept(200, { headers: { "content-length": "10" } }),
  },
  {
    section: "9110 §9.3.2",
    title: "HEAD of a missing file",
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
      title: `${method} on an endpoint that supports GET only`,
      send: head(method, HEALTH),
      outcome: kept(405, { headers: { allow: "GET, HEAD" } }),
    }),
  ),
  ...["POST", "PUT", "DELETE", "PATCH", "TRACE"].map(
    (method): RequestCase => ({
      section: "9110 §15.5.6",
      title: `${method} on a hosted file`,
      send: head(method, "/api/hosting/digits.txt"),
      outcome: kept(405, { headers: { allow: "GET, HEAD" } }),
    }),
  ),
  {
    section: "9110 §9.3.6",
    title: "CONNECT opens no tunnel",
    send: lines("CONNECT a:80 HTTP/1.1", "Host: a:80"),
    outcome: closed(400),
  },
  {
    section: "9110 §9.3.8",
    title: "TRACE does not echo the request",
    send: head("TRACE", HEALTH, "Cookie: secret=1"),
    outcome: kept(405, { body: /^(?!.*secret)/ }),
  },
  {
    section: "9110 §9.1",
    title: "an unknown method is handled as GET",
    send: head("FOO", HEALTH),
    outcome: kept(200),
  },
  {
    section: "9110 §9.1",
    title: "an unknown method requires a key like GET",
    send: head("FOO", "/api/files"),
    outcome: kept(401),
  },
  {
    section: "9110 §9.1",
    title: "a lowercase method is handled as the uppercase one",
    send: `${head("delete", "/api/files", keyHeader, "Content-Length: 11")}{"id":"no"}`,
    outcome: kept(404, { body: /File not found/ }),
  },
  {
    section: "9110 §9.1",
    title: "a lowercase method requires a key",
    send: `${head("delete", "/api/files", "Content-Length: 11")}{"id":"no"}`,
    outcome: kept(401),
  },
  {
    section: "9110 §9.1",
    title: "an invalid character in the method",
    send: head("G@T", HEALTH),
    outcome: closed(400),
  },
  {
    section: "9110 §9.1",
    title: "a colon in the method",
    send: head("X:", HEALTH),
    outcome: closed(400),
  },
  {
    section: "9112 §3",
    title: "no method",
    send: lines(` ${HEALTH} HTTP/1.1`, "Host: a"),
    outcome: closed(400),
  },

  {
    section: "9112 §2.3",
    title: "HTTP/1.0 closes the connection",
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
      title: `version ${version}`,
      send: lines(`GET ${HEALTH} ${version}`, "Host: a"),
      outcome: closed(505),
    }),
  ),
  {
    section: "9112 §2.3",
    title: "no version",
    send: lines(`GET ${HEALTH}`, "Host: a"),
    outcome: closed(505),
  },
  {
    section: "9113 §3.4",
    title: "the HTTP/2 preface",
    send: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    outcome: closed(400),
  },
  {
    section: "8446 §5.1",
    title: "a TLS ClientHello",
    send: "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    outcome: closed(400),
  },

  {
    section: "9112 §3",
    title: "two spaces in the request line",
    send: lines(`GET  ${HEALTH} HTTP/1.1`, "Host: a"),
    outcome: closed(400),
  },
  {
    section: "9112 §3",
    title: "a tab in the request line",
    send: lines(`GET\t${HEALTH} HTTP/1.1`, "Host: a"),
    outcome: closed(505),
  },
  {
    section: "9112 §3",
    title: "a space after the version",
    send: lines(`GET ${HEALTH} HTTP/1.1 `, "Host: a"),
    outcome: closed(505),
  },
  {
    section: "9112 §2.2",
    title: "an empty line before the request",
    send: `\r\n${get(HEALTH)}`,
    outcome: closed(400),
  },
  {
    section: "9112 §2.2",
    title: "a request line that ends with a bare LF",
    send: `GET ${HEALTH} HTTP/1.1\nHost: a\r\n\r\n`,
    outcome: closed(505),
  },
  {
    section: "9112 §2.2",
    title: "a header that ends with a bare LF",
    send: `GET ${HEALTH} HTTP/1.1\r\nHost: a\nX: b\r\n\r\n`,
    outcome: closed(400),
  },
  {
    section: "9112 §2.2",
    title: "a bare CR in a header",
    send: withHeader("X: a\rb"),
    outcome: closed(400),
  },
  {
    section: "9112 §2.2",
    title: "white space between the request line and the headers",
    send: lines(`GET ${HEALTH} HTTP/1.1`, " X: a", "Host: a"),
    outcome: closed(400),
  },
  {
    section: "9112 §5.1",
    title: "a space before a header's colon",
    send: withHeader("X : a"),
    outcome: closed(400),
  },
  {
    section: "9112 §5.2",
    title: "a folded header line",
    send: withHeader("X: a\r\n b"),
    outcome: closed(400),
  },
  {
    section: "9112 §5.2",
    title: "a folded Content-Length (request smuggling)",
    send: withHeader("Content-Length:\r\n 5"),
    outcome: closed(400),
  },
  {
    section: "9110 §5.5",
    title: "a NUL in a header value",
    send: withHeader("X: a\0b"),
    outcome: closed(400),
  },
  {
    section: "9110 §5.5",
    title: "a control character in a header value",
    send: withHeader("X: a\x01b"),
    outcome: closed(400),
  },
  {
    section: "9110 §5.5",
    title: "a DEL in a header value is accepted",
    send: withHeader("X: a\x7fb"),
    outcome: kept(200),
  },
  {
    section: "9110 §5.5",
    title: "bytes above ASCII in a header value",
    send: withHeader("X: \xe9"),
    outcome: kept(200),
  },
  {
    section: "9110 §5.5",
    title: "white space around a header value is ignored",
    send: get("/api/hosting/digits.txt", "Range: \t bytes=0-1 \t"),
    outcome: kept(206, { body: "01" }),
  },
  {
    section: "9110 §5.5",
    title: "an empty header value",
    send: withHeader("X:"),
    outcome: kept(200),
  },
  {
    section: "9112 §5",
    title: "a header line without a colon",
    send: withHeader("X"),
    outcome: closed(400),
  },
  {
    section: "9110 §5.1",
    title: "a header without a name",
    send: withHeader(": a"),
    outcome: closed(400),
  },
  ...["X(", "X[", "X/", "X@", 'X"', "X\xe9", "X Y", "X\0"].map(
    (name): RequestCase => ({
      section: "9110 §5.1",
      title: `header name ${JSON.stringify(name)}`,
      send: withHeader(`${name}: a`),
      outcome: closed(400),
    }),
  ),
  {
    section: "9110 §5.1",
    title: "header names are case-insensitive",
    send: get("/api/files", `aPI-kEY: ${KEY}`),
    outcome: kept(200),
  },
  {
    section: "9110 §5.3",
    title: "a repeated API-Key header is rejected",
    send: get("/api/files", keyHeader, keyHeader),
    outcome: kept(401),
  },
  {
    section: "9110 §5.4",
    title: "150 headers",
    send: get(HEALTH, ...Array.from({ length: 150 }, (_, at) => `X${at}: a`)),
    outcome: kept(200),
  },
  {
    section: "9110 §5.4",
    title: "5,000 headers",
    send: get(HEALTH, ...Array.from({ length: 5_000 }, (_, at) => `X${at}: a`)),
    outcome: closed(431),
  },
  {
    section: "9110 §5.4",
    title: "a header of 100,000 bytes",
    send: withHeader(`X: ${"a".repeat(100_000)}`),
    outcome: closed(431),
  },

  {
    section: "9112 §9.6",
    title: "Connection: close",
    send: get(HEALTH, "Connection: close"),
    outcome: closed(200),
  },
  {
    section: "9112 §9.6",
    title: "Connection: x, CLOSE",
    send: get(HEALTH, "Connection: x, CLOSE"),
    outcome: closed(200),
  },
  {
    section: "9112 §9.3",
    title: "Connection: keep-alive",
    send: get(HEALTH, "Connection: keep-alive"),
    outcome: kept(200),
  },
  {
    section: "9110 §7.8",
    title: "an upgrade to h2c is ignored (h2c smuggling)",
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
    title: "an upgrade to a WebSocket is ignored",
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
    title: "a header that Connection names is still read",
    send: get("/api/files", keyHeader, "Connection: API-Key"),
    outcome: kept(200),
  },
  {
    section: "9110 §12.5.3",
    title: "an unavailable Accept-Encoding is ignored",
    send: get("/api/hosting/digits.txt", "Accept-Encoding: gzip, identity;q=0"),
    outcome: kept(200, { body: DIGITS }),
  },
];
