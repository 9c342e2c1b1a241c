import type { SeededRandom } from "./seeded-random.ts";

/** A form that may be malformed. */
export interface MutatedForm {
  readonly contentType: string;
  /** One character for each byte. */
  readonly body: string;
}

const BOUNDARY = "B";

/** A random form with one to five mutations of its structure or its bytes. */
export function mutatedForm(random: SeededRandom): MutatedForm {
  const parts = Array.from({ length: random.int(0, 5) }, () => partOf(random));
  let body = `${parts.join("")}--${BOUNDARY}--\r\n`;
  for (let left = random.int(1, 6); left > 0; left -= 1)
    body = random.pick(MUTATIONS)(body, random);
  const contentType = random.chance(0.9)
    ? `multipart/form-data; boundary=${BOUNDARY}`
    : random.pick(CONTENT_TYPES);
  return { contentType, body };
}

function partOf(random: SeededRandom): string {
  const lines: string[] = [random.pick(DISPOSITIONS)];
  if (random.chance(0.3)) lines.push(random.pick(EXTRA_LINES));
  return `--${BOUNDARY}\r\n${lines.join("\r\n")}\r\n\r\n${random.pick(CONTENTS)}\r\n`;
}

const CD = "Content-Disposition: form-data";

const DISPOSITIONS = [
  `${CD}; name="files"; filename="a.txt"`,
  `${CD}; name="files"; filename="b \\"c\\".txt"`,
  `${CD}; name="files"; filename*=UTF-8''%E2%82%AC.txt`,
  `${CD}; name="files"; filename=plain.txt`,
  `${CD}; name="folder"`,
  `${CD}; name="visibility"`,
  `${CD}; name="onConflict"`,
  `${CD}; name=""`,
  `${CD}; name=""; filename=""`,
  `${CD}; name="files"; filename=""`,
  `${CD}; name="__proto__"`,
  `${CD}; name="constructor"; filename="x"`,
  `${CD}; name="files"; filename="../../x"`,
  `${CD}; name="files"; filename="C:\\\\x"`,
  `${CD}; name="files"; filename="a%0D%0Ab"`,
  `${CD}; name="files"; filename*=UTF-8''%00`,
  `${CD}; name="files"; filename*=UTF-16''%FE`,
  `${CD}; name="files"; filename*0="a"; filename*1="b"`,
  `${CD}; name="files"; filename="\xff\xfe"`,
  `${CD}; name="files"; filename="${"x".repeat(300)}"`,
  `${CD}; name="${"n".repeat(5_000)}"`,
  `${CD}; name="files`,
  `${CD};;; name="files"; filename="a"`,
  "Content-Disposition: attachment; filename=a",
  "Content-Disposition:",
  "content-disposition:form-data;name=files;filename=a",
] as const;

const EXTRA_LINES = [
  "Content-Type: text/plain",
  "Content-Type: multipart/mixed; boundary=C",
  "Content-Transfer-Encoding: base64",
  "Content-Transfer-Encoding: binary",
  "Content-Length: 99999",
  "Content-Disposition: form-data; name=twice",
  "X: \x00",
  ": no name",
  "no colon",
  " folded: line",
  `X: ${"x".repeat(20_000)}`,
  Array.from({ length: 40 }, (_, at) => `X-${at}: y`).join("\r\n"),
] as const;

const CONTENTS = [
  "",
  "x",
  "private",
  "a/b/c",
  "replace",
  "\r\n",
  "--B",
  "\r\n--B",
  "\r\n--B-",
  "\r\n--Bx\r\n",
  "--B--\r\n--B\r\n",
  "\r\n--B--",
  "\0".repeat(100),
  "\r".repeat(200),
  "\r\n".repeat(100),
  "\r\n--".repeat(100),
  "-".repeat(3_000),
] as const;

const CONTENT_TYPES = [
  "multipart/form-data",
  "multipart/form-data; boundary=",
  'multipart/form-data; boundary=""',
  'multipart/form-data; boundary="B"',
  "multipart/form-data; boundary=B; boundary=C",
  "multipart/form-data; boundary=b",
  `multipart/form-data; boundary=${"B".repeat(71)}`,
  "multipart/form-data; boundary=B\xe9",
  "multipart/form-data; boundary*=UTF-8''B",
  "multipart/mixed; boundary=B",
  "MULTIPART/FORM-DATA; BOUNDARY=B",
  "multipart/form-data;boundary=B;charset=utf-16",
  `multipart/form-data; ${"a;".repeat(3_000)} boundary=B`,
] as const;

type Mutation = (body: string, random: SeededRandom) => string;

const MUTATIONS: readonly [Mutation, ...Mutation[]] = [
  // Structure.
  (body, random) =>
    changeOne(body, random, "\r\n", random.pick(["\n", "\r", "", "\r\n\r\n", "\n\r"])),
  (body, random) =>
    changeOne(body, random, "--B", random.pick(["--", "-B", "--B ", "--b", "--B\t--"])),
  (body, random) => changeOne(body, random, "--B", `--B${" ".repeat(random.int(0, 100))}`),
  (body, random) => changeOne(body, random, '"', random.pick(["", "\\", '""', "'", '\\"'])),
  (body, random) => changeOne(body, random, ";", random.pick([",", "", ";;", "; name=x;", " ; "])),
  (body, random) => changeOne(body, random, ":", random.pick(["", " :", "::", "=", "\0:"])),
  (body, random) => changeOne(body, random, "=", random.pick(["", "==", " = ", "*=", "*0="])),
  (body, random) => random.pick(["x", "\r\n", "--", "--C\r\n", "x".repeat(6_000)]) + body,
  (body, random) => body + random.pick(["x", "\r\n", "--B\r\n", "x".repeat(6_000), body]),
  (body, random) => body + partOf(random) + body,
  (body, random) => body.repeat(random.int(1, 4)),
  (body) => body.replace("--B--\r\n", ""),
  (body) => body.replaceAll("\r\n", "\n"),
  (body) => body.split("--B\r\n").reverse().join("--B\r\n"),
  // Bytes.
  (body, random) => splice(body, random, 1, String.fromCharCode(random.int(0, 256))),
  (body, random) => splice(body, random, 0, String.fromCharCode(random.int(0, 256))),
  (body, random) => splice(body, random, random.int(0, 20), ""),
  (body, random) => splice(body, random, 0, slice(body, random)),
  (body, random) => body.slice(0, random.int(0, body.length + 1)),
  (body, random) => slice(body, random),
];

/** Replaces one random occurrence of `what`, if there is any, with `other`. */
function changeOne(body: string, random: SeededRandom, what: string, other: string): string {
  const pieces = body.split(what);
  if (pieces.length < 2) return body;
  const at = random.int(1, pieces.length);
  return pieces.slice(0, at).join(what) + other + pieces.slice(at).join(what);
}

function splice(body: string, random: SeededRandom, remove: number, insert: string): string {
  const at = random.int(0, body.length + 1);
  return body.slice(0, at) + insert + body.slice(at + remove);
}

function slice(body: string, random: SeededRandom): string {
  const at = random.int(0, body.length + 1);
  return body.slice(at, at + random.int(0, 60));
}
