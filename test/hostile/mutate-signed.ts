import type { Dice } from "./seeded-random.ts";

/** The query of a signed URL that is good. */
export interface Signed {
  readonly exp: string;
  readonly sig: string;
}

/** Another query, made of the good one by one to three changes. */
export function mutatedQuery({ exp, sig }: Signed, dice: Dice): string {
  let query = `exp=${exp}&sig=${sig}`;
  for (let left = dice.between(1, 4); left > 0; left -= 1)
    query = dice.oneOf(MUTATIONS)(query, dice);
  return query;
}

/**
 * Whether a query says the same as the good one, only otherwise written: exactly one `exp` and one
 * `sig`, and both decode to what was signed. Such a one may be taken; no other may.
 */
export function saysTheSame(query: string, { exp, sig }: Signed): boolean {
  const given = new URLSearchParams(query);
  const [exps, sigs] = [given.getAll("exp"), given.getAll("sig")];
  return exps.length === 1 && sigs.length === 1 && exps[0] === exp && sigs[0] === sig;
}

type Mutation = (query: string, dice: Dice) => string;

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=%&. \0é";

const MUTATIONS: readonly [Mutation, ...Mutation[]] = [
  (query, dice) => replaceAt(query, dice, 1, any(dice)),
  (query, dice) => replaceAt(query, dice, 0, any(dice)),
  (query, dice) => replaceAt(query, dice, dice.between(1, 4), ""),
  (query, dice) => changeSig(query, (sig) => replaceAt(sig, dice, 1, any(dice))),
  (query, dice) => changeSig(query, (sig) => replaceAt(sig, dice, 1, any(dice))),
  // The last character holds two bits that count for nothing when it is decoded.
  (query, dice) => changeSig(query, (sig) => sig.slice(0, -1) + any(dice)),
  (query, dice) =>
    changeSig(query, (sig) => sig + dice.oneOf(["=", "%3D", "A", "%00", "\n", " ", "."])),
  (query, dice) => changeSig(query, (sig) => swapCase(sig, dice)),
  (query) => changeSig(query, (sig) => sig.replaceAll("-", "+").replaceAll("_", "/")),
  (query) => changeSig(query, (sig) => Buffer.from(sig, "base64url").toString("hex")),
  (query) => changeSig(query, (sig) => [...sig].reverse().join("")),
  (query, dice) => changeSig(query, (sig) => sig.slice(0, dice.between(0, 43))),
  (query, dice) => changeSig(query, () => "A".repeat(dice.between(0, 50))),
  (query, dice) => changeSig(query, (sig) => encodeOne(sig, dice)),
  (query, dice) =>
    changeExp(query, (exp) => String(Number(exp) + dice.oneOf([1, -1, 60, -60, 86_400, 1e6]))),
  (query, dice) =>
    changeExp(query, (exp) => dice.oneOf(["0", "00", "+", "-", " ", "%20", "0x"]) + exp),
  (query, dice) =>
    changeExp(query, (exp) => exp + dice.oneOf([".0", "e0", "n", "%0A", " ", "_", "0", "%00"])),
  (query, dice) =>
    changeExp(query, () => dice.oneOf(["", "1e12", "999999999999", "Infinity", "NaN", "٣٤", "[]"])),
  (query, dice) => changeExp(query, (exp) => encodeOne(exp, dice)),
  (query, dice) =>
    `${query}&${dice.oneOf(["exp=9999999999", "sig=A", "exp", "sig", "exp=", "Exp=1", "exp[]=1", "download=1", "x=y", ""])}`,
  (query, dice) =>
    `${dice.oneOf(["exp=9999999999", "sig=A", "exp=", "sig=", "%65xp=1", "s%69g=x", "a=b"])}&${query}`,
  (query) => query.split("&").reverse().join("&"),
  (query) => query.replaceAll("&", ";"),
  (query) => query.replace("exp=", "exp%3D"),
  (query) => query.replace("sig=", "signature="),
  (query) => query.replace("sig", "%73ig"),
  (query) => query.toUpperCase(),
  (query) => `${query}&${query}`,
];

const any = (dice: Dice): string => ALPHABET[dice.between(0, ALPHABET.length)] ?? "A";

function replaceAt(text: string, dice: Dice, remove: number, insert: string): string {
  const at = dice.between(0, text.length + 1);
  return text.slice(0, at) + insert + text.slice(at + remove);
}

const changeSig = (query: string, change: (sig: string) => string): string =>
  query.replace(/(?<=(?:^|&)sig=)[^&]*/, change);

const changeExp = (query: string, change: (exp: string) => string): string =>
  query.replace(/(?<=(?:^|&)exp=)[^&]*/, change);

function swapCase(text: string, dice: Dice): string {
  const at = dice.between(0, text.length + 1);
  const letter = text[at] ?? "";
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  return text.slice(0, at) + other + text.slice(at + 1);
}

function encodeOne(text: string, dice: Dice): string {
  const at = dice.between(0, text.length);
  const code = text.charCodeAt(at).toString(16).padStart(2, "0");
  return `${text.slice(0, at)}%${code}${text.slice(at + 1)}`;
}
