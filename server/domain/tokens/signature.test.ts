import { expect, test } from "bun:test";
import { createHmac, hkdfSync } from "node:crypto";
import fc from "fast-check";
import { Fault } from "../faults/fault.ts";
import { parseKey, tryParseName } from "../names/name.ts";
import {
  createSigner,
  isLive,
  parseSignedQuery,
  readSignedQuery,
  type SignedSubject,
  signedLifetime,
} from "./signature.ts";

const SECRET = "a secret of more than thirty-two characters";
const signer = createSigner(SECRET);
const subject = { id: "01J8", key: parseKey("photos/2026/日本語 #1.jpg") };
const EXP = 1_790_000_000;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

const anyKey = fc
  .array(fc.string({ unit: "grapheme", minLength: 1 }), { minLength: 1, maxLength: 4 })
  .filter((names) => names.every((name) => tryParseName(name) !== undefined))
  .map((names) => parseKey(names.join("/")));
const anySubject: fc.Arbitrary<SignedSubject> = fc.record({ id: fc.string(), key: anyKey });
const anyExp = fc.integer({ min: 0, max: 999_999_999_999 });

test("the signature is HMAC-SHA256 of version, id, key and exp, each after its length", () => {
  const field = (text: string) => {
    const bytes = Buffer.from(text);
    return Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes]);
  };
  const key = Buffer.from(hkdfSync("sha256", SECRET, "", "holdall signed url v1", 32));
  const message = [Buffer.of(1), field(subject.id), field(subject.key), field(String(EXP))];
  const expected = createHmac("sha256", key).update(Buffer.concat(message)).digest("base64url");
  expect(signer.sign(subject, EXP)).toBe(expected);
});

test("a signature verifies after a round trip through a query", () => {
  fc.assert(
    fc.property(anySubject, anyExp, (file, exp) => {
      const query = parseSignedQuery(
        new URLSearchParams(`exp=${exp}&sig=${signer.sign(file, exp)}`),
      );
      expect(query?.exp).toBe(exp);
      expect(signer.verify(file, exp, query?.sig ?? "")).toBe(true);
    }),
  );
});

test("a signature is valid only for its id, key and exp", () => {
  const signed = fc.tuple(anySubject, anyExp);
  fc.assert(
    fc.property(signed, signed, ([a, aExp], [b, bExp]) => {
      const same = a.id === b.id && a.key === b.key && aExp === bExp;
      expect(signer.verify(b, bExp, signer.sign(a, aExp))).toBe(same);
      expect(signer.verify({ id: b.id, key: a.key }, aExp, signer.sign(a, aExp))).toBe(
        a.id === b.id,
      );
      expect(signer.verify({ id: a.id, key: b.key }, aExp, signer.sign(a, aExp))).toBe(
        a.key === b.key,
      );
    }),
  );
});

test("moving text from one field to the next changes the signature", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9]{2,20}$/), fc.nat(), fc.nat(), (text, m, n) => {
      const split = (at: number) => {
        const cut = 1 + (at % (text.length - 1));
        return { id: text.slice(0, cut), key: parseKey(text.slice(cut)) };
      };
      const same = split(m).id === split(n).id;
      expect(signer.sign(split(m), EXP) === signer.sign(split(n), EXP)).toBe(same);
    }),
  );
});

test("rejects signatures made with another secret", () => {
  expect(createSigner(`${SECRET}.`).verify(subject, EXP, signer.sign(subject, EXP))).toBe(false);
  expect(createSigner(SECRET).verify(subject, EXP, signer.sign(subject, EXP))).toBe(true);
});

test("rejects any other text, including other encodings of the same bytes", () => {
  const sig = signer.sign(subject, EXP);
  for (let at = 0; at < sig.length; at++) {
    for (const char of ALPHABET) {
      if (char === sig[at]) continue;
      expect(signer.verify(subject, EXP, sig.slice(0, at) + char + sig.slice(at + 1))).toBe(false);
    }
  }
  const base64 = Buffer.from(sig, "base64url").toString("base64");
  const wide = String.fromCharCode(sig.charCodeAt(0) + 0x100) + sig.slice(1);
  for (const other of ["", "=", `${sig}=`, `${sig}A`, ` ${sig}`, sig.slice(0, -1), base64, wide]) {
    expect(signer.verify(subject, EXP, other)).toBe(false);
  }
});

test("verify never throws, for any signature and exp", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.double(), (sig, exp) => {
      expect(signer.verify(subject, exp, sig)).toBe(false);
    }),
  );
});

const SIG = signer.sign(subject, EXP);

test("parses a query with one exp and one sig, and ignores other parameters", () => {
  const read = (query: string) => parseSignedQuery(new URLSearchParams(query));
  expect(read(`exp=${EXP}&sig=${SIG}`)).toEqual({ exp: EXP, sig: SIG });
  expect(read(`sig=${SIG}&download=1&exp=${EXP}`)).toEqual({ exp: EXP, sig: SIG });
  expect(read(`exp=0&sig=${SIG}`)).toEqual({ exp: 0, sig: SIG });
  expect(read(`exp=999999999999&sig=${SIG}`)).toEqual({ exp: 999_999_999_999, sig: SIG });
});

test.each([
  "",
  `exp=${EXP}`,
  `sig=${SIG}`,
  `exp=${EXP}&exp=${EXP}&sig=${SIG}`,
  `exp=${EXP}&sig=${SIG}&sig=${SIG}`,
  `exp=${EXP}&sig=${SIG}&sig=`,
  `exp=&sig=${SIG}`,
  `exp=1000000000000&sig=${SIG}`,
  `exp=0${EXP}&sig=${SIG}`,
  `exp=00&sig=${SIG}`,
  `exp=-1&sig=${SIG}`,
  `exp=%2B1&sig=${SIG}`,
  `exp=1.5&sig=${SIG}`,
  `exp=1e9&sig=${SIG}`,
  `exp=0x7f&sig=${SIG}`,
  `exp=+${EXP}&sig=${SIG}`,
  `exp=${EXP}%0A&sig=${SIG}`,
  `exp=１&sig=${SIG}`,
  `EXP=${EXP}&SIG=${SIG}`,
  `exp=${EXP}&sig=`,
  `exp=${EXP}&sig=${SIG}=`,
  `exp=${EXP}&sig=${SIG.slice(1)}`,
  `exp=${EXP}&sig=${SIG}A`,
  `exp=${EXP}&sig=${SIG}%0A`,
  `exp=${EXP}&sig=${"A".repeat(42)}B`,
  `exp=${EXP}&sig=${"%2B".repeat(42)}A`,
  `exp=${EXP}&sig=${"é".repeat(43)}`,
])("rejects the query %s", (query) => {
  expect(parseSignedQuery(new URLSearchParams(query))).toBeUndefined();
  expect(readSignedQuery(query)).toBeUndefined();
});

test("accepts exactly the canonical base64url encoding of a sig", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{43}$/), (sig) => {
      const canonical = Buffer.from(sig, "base64url").toString("base64url") === sig;
      expect(parseSignedQuery(new URLSearchParams({ exp: "1", sig })) !== undefined).toBe(
        canonical,
      );
    }),
  );
});

test("a link is valid before exp and not at exp", () => {
  expect(isLive(EXP, EXP * 1000 - 1)).toBe(true);
  expect(isLive(EXP, EXP * 1000)).toBe(false);
  expect(isLive(EXP, EXP * 1000 + 1)).toBe(false);
  expect(isLive(0, Date.now())).toBe(false);
});

const limits = { default: 3600, max: 604_800 };

test.each([
  [undefined, 3600],
  [60, 60],
  [1, 1],
  [1.9, 1],
  [0.1, 1],
  [Number.MIN_VALUE, 1],
  [59.999, 59],
  [604_800, 604_800],
  [604_801, 604_800],
  [1e300, 604_800],
])("expiresIn %p gives %p seconds", (expiresIn, expected) => {
  expect(signedLifetime(expiresIn, limits)).toBe(expected);
});

test("clamps a default above the maximum", () => {
  expect(signedLifetime(undefined, { default: 100, max: 10 })).toBe(10);
});

test.each([0, -0, -1, -0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
  "rejects expiresIn %p with a fault that names it",
  (expiresIn) => {
    const attempt = () => signedLifetime(expiresIn, limits);
    expect(attempt).toThrow(Fault);
    expect(attempt).toThrow(expect.objectContaining({ kind: "invalid" }));
    expect(attempt).toThrow("`expiresIn`");
  },
);

test("readSignedQuery agrees with parseSignedQuery on every query that it accepts", () => {
  const ours = fc.tuple(anySubject, anyExp).map(([file, exp]) => {
    return `exp=${exp}&sig=${signer.sign(file, exp)}`;
  });
  const extra = fc.constantFrom("", "&download=1", "&exp=1", "&sig=", "#", "%20", "\n", "=", "+");
  fc.assert(
    fc.property(ours, extra, extra, fc.nat(80), (query, before, after, cut) => {
      expect(readSignedQuery(query)).toEqual(parseSignedQuery(new URLSearchParams(query)));
      for (const other of [before + query, query + after, query.slice(0, cut)]) {
        const read = readSignedQuery(other);
        if (read === undefined) continue;
        expect(parseSignedQuery(new URLSearchParams(other))).toEqual(read);
        expect(new URLSearchParams(other).has("download")).toBe(false);
      }
    }),
  );
});
