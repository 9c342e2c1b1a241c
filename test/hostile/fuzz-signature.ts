import type { Key } from "../../server/rules/records.ts";
import { createSigner, isLive, parseSignedQuery } from "../../server/rules/signature.ts";
import { isEquivalent, mutatedQuery, type SignedQuery } from "./mutated-query.ts";
import { createSeededRandom } from "./seeded-random.ts";

const NOW = 1_800_000_000_000;
const signer = createSigner("a secret of thirty-two characters");
const file = { id: "01a1fda2-3ca9-702c-97cc-83facefdaadb", key: "secret/plan.pdf" as Key };
const exp = NOW / 1000 + 600;
const good: SignedQuery = { exp: String(exp), sig: signer.sign(file, exp) };

const isTaken = (query: string): boolean => {
  const signed = parseSignedQuery(new URLSearchParams(query));
  return (
    signed !== undefined && signer.verify(file, signed.exp, signed.sig) && isLive(signed.exp, NOW)
  );
};

/** The query of this seed if it is accepted although it was not signed. */
export function fuzzSignature(seed: number): string | undefined {
  const query = mutatedQuery(good, createSeededRandom(seed));
  return isTaken(query) && !isEquivalent(query, good) ? query : undefined;
}

/** Whether the original query is accepted, without which the mutations prove nothing. */
export const isValidSignatureAccepted = (): boolean => isTaken(`exp=${good.exp}&sig=${good.sig}`);
