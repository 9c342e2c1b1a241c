import type { SeededRandom } from "./seeded-random.ts";

const PIECES: readonly [string, ...string[]] = [
  // Markup, quotes, and injections into templates, SQL and shells.
  "<script>alert(1)</script>",
  "<svg onload=alert(1)>",
  '"',
  "'",
  "`",
  "&amp;",
  "{{7*7}}",
  "\u0024{x}",
  "'; DROP TABLE files;--",
  "$(id)",
  "`id`",
  "| cat",
  "*?",
  "[a]",
  "!",
  "~",
  // URLs and percent-encoding, once and twice.
  "%",
  "%2F",
  "%252e",
  "%00",
  "%zz",
  "#",
  "?",
  "&",
  "=",
  "+",
  ";",
  ":",
  "@",
  "//",
  "http:",
  "?download=1",
  "..;",
  // Headers and escapes.
  "filename=",
  "; filename*=UTF-8''x",
  "\r\n",
  "\n",
  "\r",
  "\0",
  "\t",
  "\x1b[31m",
  "\x07",
  "\x7f",
  "\u0085",
  "\u2028",
  // Names that some systems reserve.
  "CON",
  "nul.txt",
  "COM1",
  "LPT1.",
  "aux",
  "desktop.ini",
  ".DS_Store",
  ".htaccess",
  "..",
  ".",
  "...",
  "-rf",
  "--",
  "$MFT",
  "__proto__",
  "constructor",
  "index.html",
  // Separators and their look-alikes.
  "/",
  "\\",
  "\u2215",
  "\u29f8",
  "\uff0f",
  "\uff3c",
  "\u2024\u2024",
  // Unicode: composed and decomposed, full-width, compatibility, invisible, right-to-left, astral.
  "é",
  "e\u0301",
  "Å",
  "\u212b",
  "\u1e9b\u0323",
  "ﬁ",
  "K\u212a",
  "Σσς",
  "İıI",
  "ß",
  "日本",
  "한글",
  "\u1112\u1161\u11ab",
  "\u0958",
  "نص",
  "עברית",
  "\u202egpj",
  "\u2066",
  "\u200b",
  "\u200d",
  "\ufeff",
  "\u00ad",
  "\u00a0",
  "\u3000",
  "👩‍👩‍👧‍👦",
  "🇩🇪",
  "\u{e0041}",
  "\u{10ffff}",
  "\ufffe",
  "\ufffd",
  "\ue000",
  "\u0301",
  "Z\u0351\u036b\u0343",
  // Harmless pieces in between.
  "a",
  "file",
  ".txt",
  ".html",
  ".svg",
  " ",
  "  ",
  "0",
  "_",
  ",",
  "A".repeat(60),
];

/** A random name: most are hostile, some harmless, some invalid. */
export function hostileName(random: SeededRandom): string {
  if (random.chance(0.06)) return ofLength(random, random.pick([254, 255, 256, 257]));
  let name = "";
  for (let left = random.int(1, 6); left > 0; left -= 1) name += random.pick(PIECES);
  if (random.chance(0.1)) name += String.fromCodePoint(scalar(random));
  return random.chance(0.05) ? name.normalize("NFD") : name;
}

/** A name of this length in bytes, of characters of one to four bytes. */
function ofLength(random: SeededRandom, bytes: number): string {
  const character = random.pick(["x", "ß", "文", "😀"]);
  const size = Buffer.byteLength(character);
  return character.repeat(Math.floor(bytes / size)) + "y".repeat(bytes % size);
}

function scalar(random: SeededRandom): number {
  const code = random.int(1, 0x11_0000);
  return code >= 0xd800 && code < 0xe000 ? 0xfffd : code;
}

/** The name that the contract stores for `text`; undefined: it must be rejected. */
export function storedName(text: string): string | undefined {
  const name = text.normalize("NFC");
  const bytes = Buffer.byteLength(name);
  const isName =
    bytes >= 1 &&
    bytes <= 255 &&
    name !== "." &&
    name !== ".." &&
    name.isWellFormed() &&
    !/^[\s\u0085]*$/.test(name) &&
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for control characters.
    !/[/\\\u0000-\u001f\u007f-\u009f]/.test(name);
  return isName ? name : undefined;
}
