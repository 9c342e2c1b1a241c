import { expect, test } from "bun:test";
import { startServer } from "./harness.ts";
import {
  EDGE_SETTINGS,
  expectRightQuota,
  FOLDER,
  KILLS,
  KILLS_MS,
  killAgain,
  MAX_BYTES,
  workWhile,
} from "./quota-edge.ts";
import { quotaRequests } from "./quotas.fixture.ts";

test(
  "the numbers of a quota are right after kills during uploads at its edge",
  async () => {
    const server = await startServer(EDGE_SETTINGS);
    try {
      await quotaRequests(server).limited(FOLDER, { maxBytes: MAX_BYTES });
      const { stored, refused } = await workWhile([server], () => killAgain([server]));
      expect(stored).toBeGreaterThan(KILLS);
      expect(refused).toBeGreaterThan(KILLS);
      await expectRightQuota(server);
    } finally {
      await server.discard();
    }
  },
  KILLS_MS,
);
