import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openBed } from "./redis-client.fixture.ts";
import { hasRedis, type RedisServer, startRedis } from "./redis-server.fixture.ts";

async function eventually(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let round = 0; round < 600; round += 1) {
    if (await isSo()) return;
    await Bun.sleep(25);
  }
  throw new Error(`It never came about that ${what}`);
}

describe.skipIf(!hasRedis)("the link to Redis", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server?.kill());

  test("is gone at once when Redis is killed, is told of once, and comes back by itself", async () => {
    const { link, events } = await openBed(server);
    expect(await link.ask(["PING"])).toBe("PONG");
    const asked = link.ask(["BLPOP", "nothing", "0"]);
    await server.kill();
    expect(await asked).toBeUndefined();
    await eventually("it is lost", () => link.state() === "lost");
    expect(link.ask(["PING"])).toBeUndefined();
    await Bun.sleep(400);
    expect(events.map(({ event }) => event)).toEqual(["lost"]);
    await server.start();
    await eventually("it is back", () => link.state() === "present");
    expect(await link.ask(["PING"])).toBe("PONG");
    expect(events.map(({ event }) => event)).toEqual(["lost", "back"]);
    link.close();
  });

  test("a Redis that hangs is waited for no longer than the deadline, and then not at all", async () => {
    const { link, events } = await openBed(server, { deadline: 50 });
    server.hang();
    try {
      expect(await link.ask(["PING"])).toBeUndefined();
      // Nobody else waits, before it is given up and after.
      for (let round = 0; round < 200; round += 1) expect(link.ask(["PING"])).toBeUndefined();
      await eventually("it is given up", () => link.state() === "lost");
      expect(link.ask(["PING"])).toBeUndefined();
      // A connection to it can be made, but not used.
      await Bun.sleep(1500);
      expect(events.filter(({ event }) => event !== "slow").map(({ event }) => event)).toEqual([
        "lost",
      ]);
    } finally {
      server.goOn();
    }
    await eventually("it is back", () => link.state() === "present");
    await eventually("it answers", async () => (await link.ask(["PING"])) === "PONG");
    link.close();
  });

  test("a moment of silence is told nobody, and is over with the answer", async () => {
    const { link, events } = await openBed(server, { deadline: 20, patience: 30_000 });
    const before = events.length;
    expect(link.state()).toBe("present");
    server.hang();
    const late = await link.ask(["PING"]);
    server.goOn();
    expect(late).toBeUndefined();
    await eventually("it answers again", async () => (await link.ask(["PING"])) === "PONG");
    expect([link.state(), events.slice(before)]).toEqual(["present", []]);
    link.close();
  });

  test.each([
    ["WRONGPASS", (url: string) => url.replace(/:[^:@]+@/, ":wrong@")],
    ["NOAUTH", (url: string) => url.replace(/:[^:@]+@/, "")],
    ["DB index", (url: string) => `${url}/99`],
    ["ECONNREFUSED", (url: string) => url.replace(/\d+$/, "1")],
    ["no answer within|closed", (url: string) => url.replace("redis:", "rediss:")],
  ])("what cannot be used is absent, and says why: %s", async (says, change) => {
    const { link, events } = await openBed({ url: change(server.url) });
    expect(link.state()).toBe("absent");
    expect(link.ask(["PING"])).toBeUndefined();
    const [lost] = events;
    if (lost?.event !== "lost") throw new Error("Nothing was told");
    expect(String(lost.cause)).toMatch(new RegExp(says));
    expect(JSON.stringify(lost) + String(lost.cause)).not.toContain(server.password);
    link.close();
  });

  test("one that only reads, or is full, is no use: it is tried until it is", async () => {
    const { link, events } = await openBed(server);
    await link.ask(["REPLICAOF", "127.0.0.1", "1"]);
    expect(await link.ask(["SET", "a", "1"])).toBeUndefined();
    await Bun.sleep(500);
    expect(link.state()).toBe("lost");
    expect(events.map(({ event }) => event)).toEqual(["lost"]);
    const [lost] = events;
    expect(String(lost?.event === "lost" && lost.cause)).toContain("READONLY");
    const beside = await openBed(server);
    expect(beside.link.state()).toBe("absent");
    beside.link.close();
    link.close();
  });

  test("a script that Redis has forgotten is taught it again", async () => {
    await server.kill();
    await server.start();
    const { link } = await openBed(server);
    await link.ask(["SCRIPT", "FLUSH"]);
    expect(await link.ask(["EVALSHA", "0".repeat(40), "0"])).toBeUndefined();
    await eventually("it is back", () => link.state() === "present");
    link.close();
  });
});
