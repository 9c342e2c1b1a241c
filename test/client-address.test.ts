import { expect, test } from "bun:test";
import { startServer, type TestServer } from "./harness.ts";
import { head, rawRequest } from "./raw.ts";

const limit = 2;

/** Sends requests with these X-Forwarded-For headers under a limit of two; returns which were allowed. */
async function sendForwarded(
  trusted: string | undefined,
  requests: readonly (string | readonly string[])[],
): Promise<boolean[]> {
  const server: TestServer = await startServer({
    RATE_LIMIT_API: String(limit),
    TRUSTED_PROXIES: trusted,
  });
  try {
    const passed: boolean[] = [];
    for (const forwarded of requests) {
      const values = typeof forwarded === "string" ? [forwarded] : forwarded;
      const headers = values.map((value) => ["X-Forwarded-For", value] as const);
      const answer = await rawRequest(server.port, head("GET", "/api/health", headers));
      expect([200, 429]).toContain(answer.status);
      passed.push(answer.status === 200);
    }
    return passed;
  } finally {
    await server.discard();
  }
}

test("ignores X-Forwarded-For from an untrusted address", async () => {
  for (const trusted of [undefined, "10.0.0.1"]) {
    expect(await sendForwarded(trusted, ["1.1.1.1", "2.2.2.2", "3.3.3.3", []])).toEqual([
      true,
      true,
      false,
      false,
    ]);
  }
});

test("behind a trusted proxy each client has its own budget", async () => {
  const requests = ["1.1.1.1", "1.1.1.1", "1.1.1.1", "2.2.2.2", "2.2.2.2", "2.2.2.2", []];
  const expected = [true, true, false, true, true, false, true];
  expect(await sendForwarded("127.0.0.1", requests)).toEqual(expected);
  expect(await sendForwarded("10.0.0.0/8, 127.0.0.0/8", requests)).toEqual(expected);
});

test("ignores entries that a client adds on the left", async () => {
  expect(
    await sendForwarded("127.0.0.1", ["5.5.5.5, 1.1.1.1", "6.6.6.6,1.1.1.1", "7.7.7.7 , 1.1.1.1"]),
  ).toEqual([true, true, false]);
  expect(await sendForwarded("127.0.0.1", [["5.5.5.5", "1.1.1.1"], "1.1.1.1", "1.1.1.1"])).toEqual([
    true,
    true,
    false,
  ]);
});

test("skips trusted proxies in the header", async () => {
  expect(
    await sendForwarded("127.0.0.1,10.0.0.0/8", [
      "1.1.1.1, 10.1.1.1",
      "1.1.1.1, 10.2.2.2, 10.3.3.3",
      "9.9.9.9, 1.1.1.1, 10.1.1.1",
      "2.2.2.2, 10.1.1.1",
    ]),
  ).toEqual([true, true, false, true]);
});

test("treats IPv4-mapped addresses as IPv4", async () => {
  expect(
    await sendForwarded("127.0.0.1", ["1.1.1.1", "::ffff:1.1.1.1", "::ffff:0101:0101", "1.1.1.1"]),
  ).toEqual([true, true, false, false]);
});

test("counts IPv6 clients by /64", async () => {
  expect(
    await sendForwarded("127.0.0.1", [
      "2001:db8:0:1::1",
      "2001:db8:0:1:ffff:ffff:ffff:ffff",
      "2001:DB8:0:1:2:3:4:5",
      "2001:db8:0:2::1",
    ]),
  ).toEqual([true, true, false, true]);
});

test("malformed entries get no budget of their own", async () => {
  const malformed = ["nonsense", "1.1.1.1.1", "999.1.1.1", "<script>", "1.1.1.1:80x", "0x1.2.3.4"];
  const passed = await sendForwarded("127.0.0.1", malformed);
  expect(passed.filter(Boolean).length).toBeLessThanOrEqual(limit);
});
