import { DIGITS, get, head, kept, type RequestCase } from "./request-case.ts";

const FILE = "/api/hosting/digits.txt";
const SECRET = "/api/hosting/secret.txt";
const getFile = (...lines: string[]): string => get(FILE, ...lines);
const fullBody = kept(200, { body: DIGITS });
const notModified = kept(304, { body: "", headers: { "content-type": null } });
const part = (from: number, to: number) =>
  kept(206, {
    body: DIGITS.slice(from, to + 1),
    headers: { "content-range": `bytes ${from}-${to}/10`, "content-length": String(to - from + 1) },
  });
const unsatisfiable = kept(416, { headers: { "content-range": "bytes */10" } });

const range = (value: string, outcome: RequestCase["outcome"]): RequestCase => ({
  section: "9110 §14.2",
  title: `Range: ${value.slice(0, 60)}`,
  send: getFile(`Range: ${value}`),
  outcome,
});

const FUTURE = "Fri, 31 Dec 2100 23:59:59 GMT";
const PAST = "Sat, 01 Jan 2000 00:00:00 GMT";

/** Conditional requests and ranges for a file of ten digits (RFC 9110, sections 13 and 14). */
export const conditions: readonly RequestCase[] = [
  range("bytes=0-0", part(0, 0)),
  range("bytes=2-4", part(2, 4)),
  range("bytes=5-", part(5, 9)),
  range("bytes=-3", part(7, 9)),
  range("bytes=-99", part(0, 9)),
  range("bytes=8-99", part(8, 9)),
  range("BYTES=2-4", part(2, 4)),
  range("bytes=002-004", part(2, 4)),
  range("bytes=0-99999999999999999999999", part(0, 9)),
  range("bytes=10-", unsatisfiable),
  range("bytes=10-12", unsatisfiable),
  range("bytes=99999999999999999999-", unsatisfiable),
  range("bytes=-0", unsatisfiable),
  ...[
    "bytes=",
    "bytes=-",
    "bytes=4-2",
    "bytes=a-b",
    "bytes=1.5-3",
    "bytes 2-4",
    "bytes=2",
    "bytes =2-4",
    "bytes= 2-4",
    "bytes=2 -4",
    "bytes=2- 4",
    "bytes=+2-4",
    "bytes=--4",
    "bytes=0x2-4",
    "lines=2-4",
    "=2-4",
    "2-4",
    "none",
  ].map((value) => range(value, fullBody)),
  range("bytes=0-1,3-4", fullBody),
  range("bytes=0-1, ", fullBody),
  range(`bytes=${"0-,".repeat(2_500)}0-`, fullBody),
  {
    section: "9110 §14.2",
    title: "two Range headers",
    send: getFile("Range: bytes=0-1", "Range: bytes=2-3"),
    outcome: fullBody,
  },
  {
    section: "9110 §14.2",
    title: "Range of a HEAD is ignored (§14.2)",
    send: head("HEAD", FILE, "Range: bytes=2-4"),
    outcome: kept(200, { headers: { "content-length": "10", "content-range": null } }),
  },
  {
    section: "9110 §14.3",
    title: "Accept-Ranges",
    send: getFile(),
    outcome: kept(200, { headers: { "accept-ranges": "bytes" } }),
  },

  {
    section: "9110 §13.1.2",
    title: "If-None-Match: *",
    send: getFile("If-None-Match: *"),
    outcome: notModified,
  },
  {
    section: "9110 §13.1.2",
    title: "If-None-Match of a HEAD",
    send: head("HEAD", FILE, "If-None-Match: *"),
    outcome: kept(304),
  },
  {
    section: "9110 §13.1.2",
    title: "If-None-Match with another tag",
    send: getFile('If-None-Match: "other"'),
    outcome: fullBody,
  },
  {
    section: "9110 §13.1.2",
    title: "If-None-Match with a malformed tag",
    send: getFile("If-None-Match: other"),
    outcome: fullBody,
  },
  {
    section: "9110 §13.1.2",
    title: "If-None-Match for a missing file",
    send: get("/api/hosting/none", "If-None-Match: *"),
    outcome: kept(404),
  },
  {
    section: "9110 §13.1.2",
    title: "If-None-Match takes precedence over Range",
    send: getFile("If-None-Match: *", "Range: bytes=0-1"),
    outcome: notModified,
  },
  {
    section: "9110 §13.2.2",
    title: "If-None-Match takes precedence over If-Modified-Since",
    send: getFile('If-None-Match: "other"', `If-Modified-Since: ${FUTURE}`),
    outcome: fullBody,
  },
  {
    section: "9110 §13.1.3",
    title: "If-Modified-Since with a later date",
    send: getFile(`If-Modified-Since: ${FUTURE}`),
    outcome: notModified,
  },
  {
    section: "9110 §13.1.3",
    title: "If-Modified-Since with an earlier date",
    send: getFile(`If-Modified-Since: ${PAST}`),
    outcome: fullBody,
  },
  {
    section: "9110 §5.6.7",
    title: "If-Modified-Since in RFC 850 format, with a two-digit year of this century",
    send: getFile("If-Modified-Since: Monday, 31-Dec-68 23:59:59 GMT"),
    outcome: notModified,
  },
  {
    section: "9110 §5.6.7",
    title: "If-Modified-Since in asctime format",
    send: getFile("If-Modified-Since: Fri Dec 31 23:59:59 2100"),
    outcome: notModified,
  },
  {
    section: "9110 §13.1.3",
    title: "If-Modified-Since without a date",
    send: getFile("If-Modified-Since: tomorrow"),
    outcome: fullBody,
  },
  {
    section: "9110 §13.1.3",
    title: "If-Modified-Since with an ISO 8601 date",
    send: getFile("If-Modified-Since: 2100-12-31T23:59:59Z"),
    outcome: fullBody,
  },
  {
    section: "9110 §13.1.3",
    title: "two If-Modified-Since headers",
    send: getFile(`If-Modified-Since: ${FUTURE}`, `If-Modified-Since: ${FUTURE}`),
    outcome: fullBody,
  },
  {
    section: "9110 §13.1.5",
    title: "If-Range with a stale tag",
    send: getFile('If-Range: "other"', "Range: bytes=0-1"),
    outcome: fullBody,
  },
  {
    section: "9110 §13.1.5",
    title: "If-Range with a stale tag, and a range past the end",
    send: getFile('If-Range: "other"', "Range: bytes=99-"),
    outcome: fullBody,
  },
  {
    section: "9110 §13.1.5",
    title: "If-Range with another date",
    send: getFile(`If-Range: ${FUTURE}`, "Range: bytes=0-1"),
    outcome: fullBody,
  },
  {
    section: "9110 §13.1.5",
    title: "If-Range: * is not a tag",
    send: getFile("If-Range: *", "Range: bytes=0-1"),
    outcome: fullBody,
  },
  {
    section: "9110 §13.1.5",
    title: "If-Range without a Range",
    send: getFile('If-Range: "other"'),
    outcome: fullBody,
  },
  {
    section: "9110 §13.1.1",
    title: "If-Match: *",
    send: getFile("If-Match: *"),
    outcome: fullBody,
  },
  {
    section: "9110 §13.1.1",
    title: "If-Match with another tag",
    send: getFile('If-Match: "other"'),
    outcome: kept(412),
  },
  {
    section: "9110 §13.1.1",
    title: "If-Match with another tag, and a Range",
    send: getFile('If-Match: "other"', "Range: bytes=0-1"),
    outcome: kept(412),
  },
  {
    section: "9110 §13.1.4",
    title: "If-Unmodified-Since with a later date",
    send: getFile(`If-Unmodified-Since: ${FUTURE}`),
    outcome: fullBody,
  },
  {
    section: "9110 §13.1.4",
    title: "If-Unmodified-Since with an earlier date",
    send: getFile(`If-Unmodified-Since: ${PAST}`),
    outcome: kept(412),
  },
  {
    section: "9110 §13.1.4",
    title: "If-Unmodified-Since without a date",
    send: getFile("If-Unmodified-Since: yesterday"),
    outcome: fullBody,
  },
  {
    section: "9110 §13.2.2",
    title: "If-Match takes precedence over If-Unmodified-Since",
    send: getFile("If-Match: *", `If-Unmodified-Since: ${PAST}`),
    outcome: fullBody,
  },
  {
    section: "9110 §13.2.2",
    title: "If-Match takes precedence over If-None-Match",
    send: getFile('If-Match: "other"', "If-None-Match: *"),
    outcome: kept(412),
  },
  ...[
    ["If-None-Match: *"],
    [`If-Modified-Since: ${FUTURE}`],
    ['If-Match: "other"'],
    ["Range: bytes=0-1"],
    ["Range: bytes=99-"],
  ].map(
    (lines): RequestCase => ({
      section: "9110 §13.2.1",
      title: `a private file is not found with ${lines.join()}`,
      send: get(SECRET, ...lines),
      outcome: kept(404),
    }),
  ),
];
