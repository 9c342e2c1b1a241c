import { closed, DIGITS, get, HEALTH, head, KEY, kept, type RequestCase } from "./request-case.ts";

const lines = (...all: string[]): string => [...all, "", ""].join("\r\n");
const hosts = (...all: string[]): string => lines(`GET ${HEALTH} HTTP/1.1`, ...all);
const noPath = { body: /path does not exist/i };
const noFile = { body: /"data":null/ };

/** Host headers and request targets (RFC 9112, section 3; RFC 3986): path traversal, open proxies. */
export const requestTargets: readonly RequestCase[] = [
  {
    section: "9112 §3.2",
    title: "no Host header",
    send: lines(`GET ${HEALTH} HTTP/1.1`),
    outcome: closed(400),
  },
  { section: "9112 §3.2", title: "an empty Host header", send: hosts("Host:"), outcome: kept(200) },
  {
    section: "9112 §3.2",
    title: "two Host headers",
    send: hosts("Host: a", "Host: b"),
    outcome: closed(400),
  },
  {
    section: "9112 §3.2",
    title: "two equal Host headers",
    send: hosts("Host: a", "Host: a"),
    outcome: closed(400),
  },
  {
    section: "9112 §3.2",
    title: "no Host header in HTTP/1.0",
    send: lines(`GET ${HEALTH} HTTP/1.0`),
    outcome: closed(200),
  },
  ...[
    "a, b",
    "a b",
    "user@a",
    "a/b",
    "a?b",
    "a#b",
    "a\\b",
    "a:b",
    "a:80:80",
    "a:999999",
    "[::1",
    "<a>",
    "a%20b",
    "http://a",
  ].map(
    (host): RequestCase => ({
      section: "9112 §3.2",
      title: `Host: ${host}`,
      send: hosts(`Host: ${host}`),
      outcome: closed(400),
    }),
  ),
  ...["a:80", "[::1]:80", "A.Example.Com", "a:"].map(
    (host): RequestCase => ({
      section: "9110 §7.2",
      title: `Host: ${host}`,
      send: hosts(`Host: ${host}`),
      outcome: kept(200),
    }),
  ),
  {
    section: "9112 §3.2.2",
    title: "an absolute-form target",
    send: get(`http://a${HEALTH}`),
    outcome: kept(200),
  },
  {
    section: "9112 §3.2.2",
    title:
      "an absolute-form target of another host is served locally, never fetched (no open proxy)",
    send: get(`http://elsewhere.example${HEALTH}`),
    outcome: kept(200),
  },
  {
    section: "9112 §3.2.2",
    title: "an absolute-form target without a Host header",
    send: lines(`GET http://a${HEALTH} HTTP/1.1`),
    outcome: closed(400),
  },
  {
    section: "9112 §3.2.2",
    title: "an absolute-form target of a hosted file",
    send: get("http://a/api/hosting/digits.txt"),
    outcome: kept(200, { body: DIGITS }),
  },
  {
    section: "9112 §3.2.2",
    title: "an absolute-form target with dot segments",
    send: get("http://a/api/hosting/x/../digits.txt"),
    outcome: kept(404, noFile),
  },
  {
    section: "9112 §3.2",
    title: "an absolute-form target with another scheme",
    send: get("ftp://a/x"),
    outcome: closed(400),
  },
  {
    section: "9112 §3.2.3",
    title: "GET with an authority-form target",
    send: get("a:80"),
    outcome: closed(400),
  },
  { section: "9112 §3.2.4", title: "GET *", send: get("*"), outcome: closed(400) },
  {
    section: "9112 §3.2.4",
    title: "OPTIONS *",
    send: head("OPTIONS", "*"),
    outcome: closed(400),
  },
  {
    section: "9112 §3.2.1",
    title: "a target without a leading slash",
    send: get("api/health"),
    outcome: closed(400),
  },
  {
    section: "9112 §3.2.1",
    title: "a target with backslashes",
    send: get("\\api\\health"),
    outcome: closed(400),
  },
  {
    section: "9112 §3.2.1",
    title: "a fragment after an API path",
    send: get(`${HEALTH}#x`),
    outcome: closed(400),
  },
  {
    section: "9112 §3.2.1",
    title: "a fragment after a hosted file",
    send: get("/api/hosting/digits.txt#x"),
    outcome: closed(400),
  },
  {
    section: "9112 §3.2.1",
    title: "a fragment after a dashboard page",
    send: get("/docs#x"),
    outcome: closed(400),
  },
  {
    section: "9112 §3.2.1",
    title: "a fragment after a query",
    send: get("/api/hosting/digits.txt?a#b"),
    outcome: closed(400),
  },
  {
    section: "9112 §3.2",
    title: "a space in the target",
    send: get("/api/he alth"),
    outcome: closed(505),
  },
  {
    section: "9112 §3.2",
    title: "a tab in the target",
    send: get("/api/health\tx"),
    outcome: closed(505),
  },
  {
    section: "9112 §3.2",
    title: "a NUL in the target",
    send: get("/api/health\0"),
    outcome: closed(505),
  },
  {
    section: "9112 §3",
    title: "no target",
    send: lines("GET HTTP/1.1", "Host: a"),
    outcome: closed(400),
  },
  {
    section: "9112 §3",
    title: "a target of 8,000 bytes",
    send: get(`${HEALTH}?${"a".repeat(8_000)}`),
    outcome: kept(200),
  },
  {
    section: "9112 §3",
    title: "a target of 100,000 bytes",
    send: get(`/${"a".repeat(100_000)}`),
    outcome: closed(431),
  },
  {
    section: "3986 §6.2.2",
    title: "an encoded slash does not separate segments",
    send: get("/api%2Fhealth"),
    outcome: kept(404, noPath),
  },
  {
    section: "3986 §6.2.2",
    title: "double slashes are not merged",
    send: get(`/${HEALTH}`),
    outcome: kept(404, noPath),
  },
  {
    section: "3986 §5.2.4",
    title: "dot segments are not resolved",
    send: get(`/x/..${HEALTH}`),
    outcome: kept(404, noPath),
  },
  {
    section: "3986 §5.2.4",
    title: "encoded dot segments are not resolved",
    send: get(`/x/%2e%2e${HEALTH}`),
    outcome: kept(404, noPath),
  },
  {
    section: "3986 §5.2.4",
    title: "dot segments below hosting are not resolved",
    send: get("/api/hosting/x/../digits.txt"),
    outcome: kept(404, noFile),
  },
  {
    section: "3986 §5.2.4",
    title: "path traversal from hosting into the API finds nothing",
    send: get("/api/hosting/../files", `API-Key: ${KEY}`),
    outcome: kept(404, noFile),
  },
  {
    section: "3986 §5.2.4",
    title: "path traversal with an encoded slash finds nothing",
    send: get("/api/hosting/..%2ffiles", `API-Key: ${KEY}`),
    outcome: kept(404, noFile),
  },
  {
    section: "3986 §2.1",
    title: "a double-encoded target is decoded once",
    send: get("/api/hosting/digits%252etxt"),
    outcome: kept(404, noFile),
  },
  {
    section: "3986 §2.1",
    title: "percent-encoded letters are decoded",
    send: get("/api/hosting/%64igits.txt"),
    outcome: kept(200, { body: DIGITS }),
  },
  {
    section: "3986 §2.1",
    title: "an invalid percent-encoding",
    send: get("/api/hosting/%zz"),
    outcome: kept(404, noFile),
  },
  {
    section: "3986 §2.1",
    title: "percent-encoded bytes that are not UTF-8",
    send: get("/api/hosting/%ff"),
    outcome: kept(404, noFile),
  },
  {
    section: "3986 §2.1",
    title: "raw UTF-8 equals percent-encoded UTF-8",
    send: get("/api/hosting/\xc3\xa9t\xc3\xa9.txt"),
    outcome: kept(200, { body: "summer" }),
  },
  {
    section: "3986 §2.1",
    title: "raw Latin-1",
    send: get("/api/hosting/\xe9t\xe9.txt"),
    outcome: kept(404, noFile),
  },
];
