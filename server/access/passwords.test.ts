import { describe, expect, test } from "bun:test";
import { processorTime } from "../../test/processor-time.fixture.ts";
import { createPasswords } from "./passwords.ts";

const passwords = createPasswords();

describe("a password", () => {
  test("is hashed by argon2id with the parameters that OWASP recommends", async () => {
    const hash = await passwords.hash("correct horse");
    expect(hash).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
    expect(await passwords.hash("correct horse")).not.toBe(hash);
  });

  test("is verified, whatever its characters", async () => {
    for (const password of ["correct horse", "  spaces  ", "пароль密码🔑", "x".repeat(256)]) {
      const hash = await passwords.hash(password);
      expect(await passwords.verify(password, hash)).toBe(true);
      expect(await passwords.verify(`${password}x`, hash)).toBe(false);
    }
    expect(await passwords.verify("", await passwords.hash("something"))).toBe(false);
  });

  test("matches with composed and decomposed accents", async () => {
    const hash = await passwords.hash("caf\u00e9 cr\u00e8me");
    expect(await passwords.verify("cafe\u0301 cre\u0300me", hash)).toBe(true);
  });

  test("of the maximum length matches in every normalization form", async () => {
    const longest = "\u1f82".repeat(256);
    const hash = await passwords.hash(longest);
    expect(longest.normalize("NFD")).toHaveLength(1024);
    expect(await passwords.verify(longest.normalize("NFD"), hash)).toBe(true);
  });

  test("of a megabyte of combining marks is refused without normalizing it", async () => {
    const hash = await passwords.hash("correct horse");
    const marks = `a${"\u0300".repeat(250_000)}${"\u0316".repeat(250_000)}`;
    const startedAt = processorTime();
    for (const known of [hash, undefined]) expect(await passwords.verify(marks, known)).toBe(false);
    // Normalizing it would take minutes.
    expect(processorTime() - startedAt).toBeLessThan(20_000);
  });

  test("takes as long to verify without an account", async () => {
    const hash = await passwords.hash("correct horse");
    const times: { missing: number[]; existing: number[] } = { missing: [], existing: [] };
    for (let round = 0; round < 9; round += 1) {
      for (const [kind, known] of [
        ["missing", undefined],
        ["existing", hash],
      ] as const) {
        const startedAt = processorTime();
        expect(await passwords.verify("a guess", known)).toBe(false);
        times[kind].push(processorTime() - startedAt);
      }
    }
    const [missing, existing] = [Math.min(...times.missing), Math.min(...times.existing)];
    expect(Math.max(missing, existing) / Math.min(missing, existing)).toBeLessThan(2);
  });
});

test.each([
  [1, 1],
  [2, 1],
  [3, 2],
  [16, 2],
])(
  "of %i processors, passwords take %i at most: further ones wait, and are refused beyond the queue",
  async (processors, running) => {
    const busy = createPasswords(processors);
    const hash = await busy.hash("correct horse");
    const attempts = Array.from({ length: 80 }, () => busy.verify("correct horse", hash));
    const ends = await Promise.allSettled(attempts);
    const verified = ends.filter((end) => end.status === "fulfilled" && end.value);
    const refused = ends.filter((end) => end.status === "rejected").map((end) => end.reason);
    expect(verified).toHaveLength(64 + running);
    expect(refused).toHaveLength(16 - running);
    for (const fault of refused)
      expect(fault).toMatchObject({ kind: "unavailable", retryAfter: 2 });
    expect(await busy.verify("correct horse", hash)).toBe(true);
  },
);
