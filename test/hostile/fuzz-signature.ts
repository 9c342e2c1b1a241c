import type { Key } from "../../server/domain/records.ts";
import { createSigner, isLive, parseSignedQuery } from "../../server/domain/tokens/signature.ts";
import { isEquivalent, mutatedQuery, type SignedQuery } from "./mutated-query.ts";
import { createSeededRandom } from "./seeded-random.ts";

const NOW = 1_800_000_000_000;
const signer = createSigner("a secret of thirty-two characters");
const file = { id: "01a1fda2-3ca9-702c-97cc-83facefdaadb", key: "secret/plan.pdf" as Key };
const exp = NOW / 1000 + 600;
const valid: SignedQuery = { exp: String(exp), sig: signer.sign(file, exp) };

const isAccepted = (query: string): boolean => {
  const signed = parseSignedQuery(new URLSearchParams(query));
  return (
    signed !== undefined && signer.verify(file, signed.exp, signed.sig) && isLive(signed.exp, NOW)
  );
};

/** The mutated query of this seed if it is a forgery that is accepted; undefined otherwise. */
export function fuzzSignature(seed: number): string | undefined {
  const query = mutatedQuery(valid, createSeededRandom(seed));
  return isAccepted(query) && !isEquivalent(query, valid) ? query : undefined;
}

/** Must be true, or the fuzzing proves nothing. */
export const isValidSignatureAccepted = (): boolean =>
  isAccepted(`exp=${valid.exp}&sig=${valid.sig}`);
