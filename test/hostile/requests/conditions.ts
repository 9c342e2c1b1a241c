import { DIGITS, get, head, kept, type RequestCase } from "./request-case.ts";

const FILE = "/api/hosting/digits.txt";
const SECRET = "/api/hosting/secret.txt";
const asked = (...lines: string[]): string => get(FILE, ...lines);
const whole = kept(200, { body: DIGITS });
const unchanged = kept(304, { body: "", headers: { "content-type": null } });
const part = (from: number, to: number) =>
  kept(206, {
    body: DIGITS.slice(from, to + 1),
    headers: { "content-range": `bytes ${from}-${to}/10`, "content-length": String(to - from + 1) },
  });
const past = kept(416, { headers: { "content-range": "bytes */10" } });

const range = (value: string, outcome: RequestCase["outcome"]): RequestCase => ({
  section: "9110 §14.2",
  what: `Range: ${value.slice(0, 60)}`,
  send: asked(`Range: ${value}`),
  outcome,
});

const FUTURE = "Fri, 31 Dec 2100 23:59:59 GMT";
const PAST = "Sat, 01 Jan 2000 00:00:00 GMT";

/** Conditions and ranges of a file of ten digits (RFC 9110, sections 13 and 14). */
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
  range("bytes=10-", past),
  range("bytes=10-12", past),
  range("bytes=99999999999999999999-", past),
  range("bytes=-0", past),
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
  ].map((value) => range(value, whole)),
  range("bytes=0-1,3-4", whole),
  range("bytes=0-1, ", whole),
  range(`bytes=${"0-,".repeat(2_500)}0-`, whole),
  {
    section: "9110 §14.2",
    what: "two Range headers",
    send: asked("Range: bytes=0-1", "Range: bytes=2-3"),
    outcome: whole,
  },
  {
    section: "9110 §14.2",
    what: "a Range of HEAD",
    send: head("HEAD", FILE, "Range: bytes=2-4"),
    outcome: kept(206, { headers: { "content-length": "3", "content-range": "bytes 2-4/10" } }),
  },
  {
    section: "9110 §14.3",
    what: "Accept-Ranges",
    send: asked(),
    outcome: kept(200, { headers: { "accept-ranges": "bytes" } }),
  },

  {
    section: "9110 §13.1.2",
    what: "If-None-Match: *",
    send: asked("If-None-Match: *"),
    outcome: unchanged,
  },
  {
    section: "9110 §13.1.2",
    what: "of HEAD",
    send: head("HEAD", FILE, "If-None-Match: *"),
    outcome: kept(304),
  },
  {
    section: "9110 §13.1.2",
    what: "of another tag",
    send: asked('If-None-Match: "other"'),
    outcome: whole,
  },
  {
    section: "9110 §13.1.2",
    what: "that is malformed",
    send: asked("If-None-Match: other"),
    outcome: whole,
  },
  {
    section: "9110 §13.1.2",
    what: "of what is missing",
    send: get("/api/hosting/none", "If-None-Match: *"),
    outcome: kept(404),
  },
  {
    section: "9110 §13.1.2",
    what: "goes before a Range",
    send: asked("If-None-Match: *", "Range: bytes=0-1"),
    outcome: unchanged,
  },
  {
    section: "9110 §13.2.2",
    what: "goes before If-Modified-Since",
    send: asked('If-None-Match: "other"', `If-Modified-Since: ${FUTURE}`),
    outcome: whole,
  },
  {
    section: "9110 §13.1.3",
    what: "If-Modified-Since that is later",
    send: asked(`If-Modified-Since: ${FUTURE}`),
    outcome: unchanged,
  },
  {
    section: "9110 §13.1.3",
    what: "that is earlier",
    send: asked(`If-Modified-Since: ${PAST}`),
    outcome: whole,
  },
  {
    section: "9110 §5.6.7",
    what: "in the form of RFC 850, of a year in this century",
    send: asked("If-Modified-Since: Monday, 31-Dec-68 23:59:59 GMT"),
    outcome: unchanged,
  },
  {
    section: "9110 §5.6.7",
    what: "in the form of asctime",
    send: asked("If-Modified-Since: Fri Dec 31 23:59:59 2100"),
    outcome: unchanged,
  },
  {
    section: "9110 §13.1.3",
    what: "that is no date",
    send: asked("If-Modified-Since: tomorrow"),
    outcome: whole,
  },
  {
    section: "9110 §13.1.3",
    what: "that is an ISO date",
    send: asked("If-Modified-Since: 2100-12-31T23:59:59Z"),
    outcome: whole,
  },
  {
    section: "9110 §13.1.3",
    what: "given twice",
    send: asked(`If-Modified-Since: ${FUTURE}`, `If-Modified-Since: ${FUTURE}`),
    outcome: whole,
  },
  {
    section: "9110 §13.1.5",
    what: "If-Range that is stale",
    send: asked('If-Range: "other"', "Range: bytes=0-1"),
    outcome: whole,
  },
  {
    section: "9110 §13.1.5",
    what: "If-Range that is stale, with a range past the end",
    send: asked('If-Range: "other"', "Range: bytes=99-"),
    outcome: whole,
  },
  {
    section: "9110 §13.1.5",
    what: "If-Range of another date",
    send: asked(`If-Range: ${FUTURE}`, "Range: bytes=0-1"),
    outcome: whole,
  },
  {
    section: "9110 §13.1.5",
    what: "If-Range: * is no tag",
    send: asked("If-Range: *", "Range: bytes=0-1"),
    outcome: whole,
  },
  {
    section: "9110 §13.1.5",
    what: "If-Range without a Range",
    send: asked('If-Range: "other"'),
    outcome: whole,
  },
  { section: "9110 §13.1.1", what: "If-Match: *", send: asked("If-Match: *"), outcome: whole },
  {
    section: "9110 §13.1.1",
    what: "If-Match of another tag",
    send: asked('If-Match: "other"'),
    outcome: kept(412),
  },
  {
    section: "9110 §13.1.1",
    what: "If-Match of another tag, with a Range",
    send: asked('If-Match: "other"', "Range: bytes=0-1"),
    outcome: kept(412),
  },
  {
    section: "9110 §13.1.4",
    what: "If-Unmodified-Since that is later",
    send: asked(`If-Unmodified-Since: ${FUTURE}`),
    outcome: whole,
  },
  {
    section: "9110 §13.1.4",
    what: "If-Unmodified-Since that is earlier",
    send: asked(`If-Unmodified-Since: ${PAST}`),
    outcome: kept(412),
  },
  {
    section: "9110 §13.1.4",
    what: "If-Unmodified-Since that is no date",
    send: asked("If-Unmodified-Since: yesterday"),
    outcome: whole,
  },
  {
    section: "9110 §13.2.2",
    what: "If-Match goes before If-Unmodified-Since",
    send: asked("If-Match: *", `If-Unmodified-Since: ${PAST}`),
    outcome: whole,
  },
  {
    section: "9110 §13.2.2",
    what: "If-Match goes before If-None-Match",
    send: asked('If-Match: "other"', "If-None-Match: *"),
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
      what: `a private file tells nothing to ${lines.join()}`,
      send: get(SECRET, ...lines),
      outcome: kept(404),
    }),
  ),
];
