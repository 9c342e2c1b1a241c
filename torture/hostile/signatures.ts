import { fuzzSignature, isValidSignatureAccepted } from "../../test/hostile/fuzz-signature.ts";
import type { Trial } from "../trial.ts";

/** Forged queries of signed URLs: the server must accept none. */
export const signatures: Trial = {
  name: "signatures",
  async run(scale) {
    const tries = scale.tries(1_000_000, 20_000);
    const problems = isValidSignatureAccepted() ? [] : ["The valid signature is rejected."];
    for (let at = 0; at < tries && problems.length < 10; at += 1) {
      const forgery = fuzzSignature(1_000_000 + at);
      if (forgery !== undefined) problems.push(`Accepted: ${forgery}`);
      if (at % 200_000 === 199_999) scale.progress(`${at + 1} queries`);
    }
    return [{ fault: "forged signatures", tries, lost: 0, leftovers: 0, problems }];
  },
};
