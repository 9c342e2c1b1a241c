import { expect, test } from "bun:test";
import { startServer, type TestServer } from "./harness.ts";
import { head, rawRequest } from "./raw.ts";

const limit = 2;

/** Whether requests with these X-Forwarded-For headers, in order, got past a limit of two each. */
async function outcomes(
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

test("X-Forwarded-For from an address that is not trusted counts for nothing", async () => {
  for (const trusted of [undefined, "10.0.0.1"]) {
    expect(await outcomes(trusted, ["1.1.1.1", "2.2.2.2", "3.3.3.3", []])).toEqual([
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
  expect(await outcomes("127.0.0.1", requests)).toEqual(expected);
  expect(await outcomes("10.0.0.0/8, 127.0.0.0/8", requests)).toEqual(expected);
});

test("the header is read from the right: what a client adds on the left is not believed", async () => {
  expect(
    await outcomes("127.0.0.1", ["5.5.5.5, 1.1.1.1", "6.6.6.6,1.1.1.1", "7.7.7.7 , 1.1.1.1"]),
  ).toEqual([true, true, false]);
  expect(await outcomes("127.0.0.1", [["5.5.5.5", "1.1.1.1"], "1.1.1.1", "1.1.1.1"])).toEqual([
    true,
    true,
    false,
  ]);
});

test("trusted proxies in the header are passed over", async () => {
  expect(
    await outcomes("127.0.0.1,10.0.0.0/8", [
      "1.1.1.1, 10.1.1.1",
      "1.1.1.1, 10.2.2.2, 10.3.3.3",
      "9.9.9.9, 1.1.1.1, 10.1.1.1",
      "2.2.2.2, 10.1.1.1",
    ]),
  ).toEqual([true, true, false, true]);
});

test("IPv4-mapped addresses are IPv4", async () => {
  expect(
    await outcomes("127.0.0.1", ["1.1.1.1", "::ffff:1.1.1.1", "::ffff:0101:0101", "1.1.1.1"]),
  ).toEqual([true, true, false, false]);
});

test("IPv6 counts by /64", async () => {
  expect(
    await outcomes("127.0.0.1", [
      "2001:db8:0:1::1",
      "2001:db8:0:1:ffff:ffff:ffff:ffff",
      "2001:DB8:0:1:2:3:4:5",
      "2001:db8:0:2::1",
    ]),
  ).toEqual([true, true, false, true]);
});

test("nonsense buys no fresh budget", async () => {
  const nonsense = ["nonsense", "1.1.1.1.1", "999.1.1.1", "<script>", "1.1.1.1:80x", "0x1.2.3.4"];
  const passed = await outcomes("127.0.0.1", nonsense);
  expect(passed.filter(Boolean).length).toBeLessThanOrEqual(limit);
});
