import { describe, expect, test } from "bun:test";
import { createPasswords } from "./passwords.ts";

const passwords = createPasswords();

describe("a password", () => {
  test("is kept as argon2id with the parameters that OWASP recommends", async () => {
    const hash = await passwords.hash("correct horse");
    expect(hash).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
    expect(await passwords.hash("correct horse")).not.toBe(hash);
  });

  test("is recognised, whatever it is made of", async () => {
    for (const password of ["correct horse", "  spaces  ", "пароль密码🔑", "x".repeat(256)]) {
      const hash = await passwords.hash(password);
      expect(await passwords.verify(password, hash)).toBe(true);
      expect(await passwords.verify(`${password}x`, hash)).toBe(false);
    }
    expect(await passwords.verify("", await passwords.hash("something"))).toBe(false);
  });

  test("is the same however its accents are composed", async () => {
    const hash = await passwords.hash("caf\u00e9 cr\u00e8me");
    expect(await passwords.verify("cafe\u0301 cre\u0300me", hash)).toBe(true);
  });

  test("of the greatest length is known in all its forms", async () => {
    const longest = "\u1f82".repeat(256);
    const hash = await passwords.hash(longest);
    expect(longest.normalize("NFD")).toHaveLength(1024);
    expect(await passwords.verify(longest.normalize("NFD"), hash)).toBe(true);
  });

  test("of a megabyte is wrong, and nobody waits for its accents to be sorted", async () => {
    const hash = await passwords.hash("correct horse");
    const marks = `a${"\u0300".repeat(250_000)}${"\u0316".repeat(250_000)}`;
    const began = performance.now();
    for (const known of [hash, undefined]) expect(await passwords.verify(marks, known)).toBe(false);
    // Minutes, where they were.
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  test("of nobody is wrong, and takes about as long to be", async () => {
    const hash = await passwords.hash("correct horse");
    const timed = async (known: string | undefined): Promise<number> => {
      const times: number[] = [];
      for (let i = 0; i < 9; i += 1) {
        const began = performance.now();
        expect(await passwords.verify("a guess", known)).toBe(false);
        times.push(performance.now() - began);
      }
      return Math.min(...times);
    };
    const [nobody, somebody] = [await timed(undefined), await timed(hash)];
    expect(Math.max(nobody, somebody) / Math.min(nobody, somebody)).toBeLessThan(2);
  });
});

test("few are computed at once, a line waits, and more than that are turned away", async () => {
  const busy = createPasswords();
  const hash = await busy.hash("correct horse");
  const tries = Array.from({ length: 80 }, () => busy.verify("correct horse", hash));
  const ends = await Promise.allSettled(tries);
  const right = ends.filter((end) => end.status === "fulfilled" && end.value);
  const away = ends.filter((end) => end.status === "rejected").map((end) => end.reason);
  expect(right).toHaveLength(66);
  expect(away).toHaveLength(14);
  for (const fault of away) expect(fault).toMatchObject({ kind: "unavailable", retryAfter: 2 });
  expect(await busy.verify("correct horse", hash)).toBe(true);
}, 30_000);
