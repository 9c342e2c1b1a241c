import { afterAll, expect, test } from "bun:test";
import { forEachConcurrently } from "../../server/lib/for-each-concurrently.ts";
import { startServer, type TestServer } from "../harness.ts";
import { fuzzS3Body } from "./fuzz-s3-body.ts";
import { areValidS3RequestsAccepted, fuzzS3Signatures } from "./fuzz-s3-signatures.ts";
import { fuzzS3Xml } from "./fuzz-s3-xml.ts";
import { createS3Attacker } from "./s3-attacker.ts";

let server: TestServer | undefined;
afterAll(() => server?.discard());

test("none of 20,000 forged S3 requests is accepted", () => {
  expect(areValidS3RequestsAccepted()).toBe(true);
  for (let seed = 0; seed < 20_000; seed += 1) {
    expect({ seed, forgery: fuzzS3Signatures(seed) }).toEqual({ seed, forgery: undefined });
  }
});

test("2,000 mutated bodies are refused or have their content", async () => {
  for (let seed = 0; seed < 2_000; seed += 1) {
    expect({ seed, problem: await fuzzS3Body(seed) }).toEqual({ seed, problem: undefined });
  }
});

test("2,000 mutated documents are read or refused", async () => {
  for (let seed = 0; seed < 2_000; seed += 1) {
    expect({ seed, problem: await fuzzS3Xml(seed) }).toEqual({ seed, problem: undefined });
  }
});

test("300 hostile requests with a key for one bucket get sound responses and reach nothing else", async () => {
  server = await startServer();
  const attacker = await createS3Attacker(server);
  await forEachConcurrently(Array(300).keys(), 4, (at) => attacker.attack(5_000_000 + at));
  expect(await attacker.problems()).toEqual([]);
  expect(server.output()).not.toContain("Unexpected server error");
});
