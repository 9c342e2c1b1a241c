import type { Dice } from "./seeded-random.ts";

/** A form's body as it may come from somebody who means harm, one character for each byte. */
export interface MutatedForm {
  readonly contentType: string;
  readonly body: string;
}

const BOUNDARY = "B";

/** A form that was well, with one to five things done to it, of its structure or of its bytes. */
export function mutatedForm(dice: Dice): MutatedForm {
  const parts = Array.from({ length: dice.between(0, 5) }, () => partOf(dice));
  let body = `${parts.join("")}--${BOUNDARY}--\r\n`;
  for (let left = dice.between(1, 6); left > 0; left -= 1) body = dice.oneOf(MUTATIONS)(body, dice);
  const contentType = dice.chance(0.9)
    ? `multipart/form-data; boundary=${BOUNDARY}`
    : dice.oneOf(CONTENT_TYPES);
  return { contentType, body };
}

function partOf(dice: Dice): string {
  const lines: string[] = [dice.oneOf(DISPOSITIONS)];
  if (dice.chance(0.3)) lines.push(dice.oneOf(EXTRA_LINES));
  return `--${BOUNDARY}\r\n${lines.join("\r\n")}\r\n\r\n${dice.oneOf(CONTENTS)}\r\n`;
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

type Mutation = (body: string, dice: Dice) => string;

const MUTATIONS: readonly [Mutation, ...Mutation[]] = [
  // Of the structure.
  (body, dice) => changeOne(body, dice, "\r\n", dice.oneOf(["\n", "\r", "", "\r\n\r\n", "\n\r"])),
  (body, dice) => changeOne(body, dice, "--B", dice.oneOf(["--", "-B", "--B ", "--b", "--B\t--"])),
  (body, dice) => changeOne(body, dice, "--B", `--B${" ".repeat(dice.between(0, 100))}`),
  (body, dice) => changeOne(body, dice, '"', dice.oneOf(["", "\\", '""', "'", '\\"'])),
  (body, dice) => changeOne(body, dice, ";", dice.oneOf([",", "", ";;", "; name=x;", " ; "])),
  (body, dice) => changeOne(body, dice, ":", dice.oneOf(["", " :", "::", "=", "\0:"])),
  (body, dice) => changeOne(body, dice, "=", dice.oneOf(["", "==", " = ", "*=", "*0="])),
  (body, dice) => dice.oneOf(["x", "\r\n", "--", "--C\r\n", "x".repeat(6_000)]) + body,
  (body, dice) => body + dice.oneOf(["x", "\r\n", "--B\r\n", "x".repeat(6_000), body]),
  (body, dice) => body + partOf(dice) + body,
  (body, dice) => body.repeat(dice.between(1, 4)),
  (body) => body.replace("--B--\r\n", ""),
  (body) => body.replaceAll("\r\n", "\n"),
  (body) => body.split("--B\r\n").reverse().join("--B\r\n"),
  // Of the bytes.
  (body, dice) => splice(body, dice, 1, String.fromCharCode(dice.between(0, 256))),
  (body, dice) => splice(body, dice, 0, String.fromCharCode(dice.between(0, 256))),
  (body, dice) => splice(body, dice, dice.between(0, 20), ""),
  (body, dice) => splice(body, dice, 0, slice(body, dice)),
  (body, dice) => body.slice(0, dice.between(0, body.length + 1)),
  (body, dice) => slice(body, dice),
];

/** One of the places where `what` stands, if any, has `other` instead. */
function changeOne(body: string, dice: Dice, what: string, other: string): string {
  const pieces = body.split(what);
  if (pieces.length < 2) return body;
  const at = dice.between(1, pieces.length);
  return pieces.slice(0, at).join(what) + other + pieces.slice(at).join(what);
}

function splice(body: string, dice: Dice, remove: number, insert: string): string {
  const at = dice.between(0, body.length + 1);
  return body.slice(0, at) + insert + body.slice(at + remove);
}

function slice(body: string, dice: Dice): string {
  const at = dice.between(0, body.length + 1);
  return body.slice(at, at + dice.between(0, 60));
}
