import { join } from "node:path";
import { forEachConcurrently } from "../../server/lib/for-each-concurrently.ts";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { fuzzS3Body } from "../../test/hostile/fuzz-s3-body.ts";
import {
  areValidS3RequestsAccepted,
  fuzzS3Signatures,
} from "../../test/hostile/fuzz-s3-signatures.ts";
import { fuzzS3Xml } from "../../test/hostile/fuzz-s3-xml.ts";
import { createS3Attacker } from "../../test/hostile/s3-attacker.ts";
import { startServer } from "../server-process.ts";
import type { Row, Scale, Trial } from "../trial.ts";

/** Forged, malformed and hostile requests of the S3 API. */
export const s3: Trial = {
  name: "s3",
  async run(scale) {
    const isSound = areValidS3RequestsAccepted();
    const forged = await fuzz(scale, "forged requests", [1_000_000, 20_000], fuzzS3Signatures);
    return [
      isSound ? forged : { ...forged, problems: ["A valid request is rejected."] },
      await fuzz(scale, "mutated bodies", [200_000, 5_000], fuzzS3Body),
      await fuzz(scale, "mutated XML", [200_000, 5_000], fuzzS3Xml),
      await attackServer(scale),
    ];
  },
};

async function fuzz(
  scale: Scale,
  fault: string,
  [full, short]: readonly [number, number],
  problemOf: (seed: number) => string | undefined | Promise<string | undefined>,
): Promise<Row> {
  const tries = scale.tries(full, short);
  const problems: string[] = [];
  for (let at = 0; at < tries && problems.length < 10; at += 1) {
    const problem = await problemOf(1_000_000 + at);
    if (problem !== undefined) problems.push(problem);
    if (at % 100_000 === 99_999) scale.progress(`${at + 1} ${fault}`);
  }
  return { fault: `S3: ${fault}`, tries, lost: 0, leftovers: 0, problems };
}

async function attackServer(scale: Scale): Promise<Row> {
  const tries = scale.tries(20_000, 500);
  const folder = temporaryFolder();
  const server = await startServer(join(folder, "data"));
  try {
    const attacker = await createS3Attacker(server);
    await forEachConcurrently(Array(tries).keys(), 4, async (at) => {
      await attacker.attack(6_000_000 + at);
      if (at % 1_000 === 999) scale.progress(`${at + 1} S3 requests`);
    });
    const problems = await attacker.problems();
    if (server.output().includes("Unexpected server error")) {
      problems.push("The server logged an unexpected error.");
    }
    return {
      fault: "S3: requests with a key for one bucket",
      tries,
      lost: 0,
      leftovers: 0,
      problems: problems.slice(0, 20),
    };
  } finally {
    await server.kill();
    removeFolder(folder);
  }
}
