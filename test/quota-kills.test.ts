import { test } from "bun:test";
import { EDGE_SETTINGS, expectRightAfterKills, KILLS_MS, limitSpaces } from "./quota-edge.ts";
import { startS3Server } from "./s3-api/s3-server.fixture.ts";

for (const WORKERS of ["1", "2"]) {
  test(
    `the numbers of quotas are right after each kill during all kinds of work, with ${WORKERS} worker(s)`,
    async () => {
      const server = await startS3Server({ ...EDGE_SETTINGS, WORKERS });
      try {
        await limitSpaces(server);
        await expectRightAfterKills([server]);
      } finally {
        await server.discard();
      }
    },
    KILLS_MS,
  );
}
