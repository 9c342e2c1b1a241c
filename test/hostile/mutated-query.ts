import type { SeededRandom } from "./seeded-random.ts";

/** The query of a valid signed URL. */
export interface SignedQuery {
  readonly exp: string;
  readonly sig: string;
}

/** The valid query with one to three random mutations. */
export function mutatedQuery({ exp, sig }: SignedQuery, random: SeededRandom): string {
  let query = `exp=${exp}&sig=${sig}`;
  for (let left = random.int(1, 4); left > 0; left -= 1)
    query = random.pick(MUTATIONS)(query, random);
  return query;
}

/**
 * Whether a query decodes to the signed values: exactly one `exp` and one `sig`, both equal to the
 * valid ones. Only such a query may be accepted.
 */
export function isEquivalent(query: string, { exp, sig }: SignedQuery): boolean {
  const given = new URLSearchParams(query);
  const [exps, sigs] = [given.getAll("exp"), given.getAll("sig")];
  return exps.length === 1 && sigs.length === 1 && exps[0] === exp && sigs[0] === sig;
}

type Mutation = (query: string, random: SeededRandom) => string;

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=%&. \0é";

const MUTATIONS: readonly [Mutation, ...Mutation[]] = [
  (query, random) => replaceAt(query, random, 1, any(random)),
  (query, random) => replaceAt(query, random, 0, any(random)),
  (query, random) => replaceAt(query, random, random.int(1, 4), ""),
  (query, random) => changeSig(query, (sig) => replaceAt(sig, random, 1, any(random))),
  (query, random) => changeSig(query, (sig) => replaceAt(sig, random, 1, any(random))),
  // Decoding ignores two bits of the last character.
  (query, random) => changeSig(query, (sig) => sig.slice(0, -1) + any(random)),
  (query, random) =>
    changeSig(query, (sig) => sig + random.pick(["=", "%3D", "A", "%00", "\n", " ", "."])),
  (query, random) => changeSig(query, (sig) => swapCase(sig, random)),
  (query) => changeSig(query, (sig) => sig.replaceAll("-", "+").replaceAll("_", "/")),
  (query) => changeSig(query, (sig) => Buffer.from(sig, "base64url").toString("hex")),
  (query) => changeSig(query, (sig) => [...sig].reverse().join("")),
  (query, random) => changeSig(query, (sig) => sig.slice(0, random.int(0, 43))),
  (query, random) => changeSig(query, () => "A".repeat(random.int(0, 50))),
  (query, random) => changeSig(query, (sig) => encodeOne(sig, random)),
  (query, random) =>
    changeExp(query, (exp) => String(Number(exp) + random.pick([1, -1, 60, -60, 86_400, 1e6]))),
  (query, random) =>
    changeExp(query, (exp) => random.pick(["0", "00", "+", "-", " ", "%20", "0x"]) + exp),
  (query, random) =>
    changeExp(query, (exp) => exp + random.pick([".0", "e0", "n", "%0A", " ", "_", "0", "%00"])),
  (query, random) =>
    changeExp(query, () =>
      random.pick(["", "1e12", "999999999999", "Infinity", "NaN", "٣٤", "[]"]),
    ),
  (query, random) => changeExp(query, (exp) => encodeOne(exp, random)),
  (query, random) =>
    `${query}&${random.pick(["exp=9999999999", "sig=A", "exp", "sig", "exp=", "Exp=1", "exp[]=1", "download=1", "x=y", ""])}`,
  (query, random) =>
    `${random.pick(["exp=9999999999", "sig=A", "exp=", "sig=", "%65xp=1", "s%69g=x", "a=b"])}&${query}`,
  (query) => query.split("&").reverse().join("&"),
  (query) => query.replaceAll("&", ";"),
  (query) => query.replace("exp=", "exp%3D"),
  (query) => query.replace("sig=", "signature="),
  (query) => query.replace("sig", "%73ig"),
  (query) => query.toUpperCase(),
  (query) => `${query}&${query}`,
];

const any = (random: SeededRandom): string => ALPHABET[random.int(0, ALPHABET.length)] ?? "A";

function replaceAt(text: string, random: SeededRandom, remove: number, insert: string): string {
  const at = random.int(0, text.length + 1);
  return text.slice(0, at) + insert + text.slice(at + remove);
}

const changeSig = (query: string, change: (sig: string) => string): string =>
  query.replace(/(?<=(?:^|&)sig=)[^&]*/, change);

const changeExp = (query: string, change: (exp: string) => string): string =>
  query.replace(/(?<=(?:^|&)exp=)[^&]*/, change);

function swapCase(text: string, random: SeededRandom): string {
  const at = random.int(0, text.length + 1);
  const letter = text[at] ?? "";
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  return text.slice(0, at) + other + text.slice(at + 1);
}

function encodeOne(text: string, random: SeededRandom): string {
  const at = random.int(0, text.length);
  const code = text.charCodeAt(at).toString(16).padStart(2, "0");
  return `${text.slice(0, at)}%${code}${text.slice(at + 1)}`;
}
