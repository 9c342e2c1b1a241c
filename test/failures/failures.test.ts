import { afterAll, describe, expect, test } from "bun:test";
import { failuresOf } from "../../contract/failures.ts";
import type { Operation } from "../../contract/operation.ts";
import { operations } from "../../contract/operations.ts";
import { send } from "../client.ts";
import { bareExample, type ExampleRequest } from "../example-requests.ts";
import type { HttpResponse } from "../http-response.ts";
import { codeOf } from "../people.fixture.ts";
import { accessFailures } from "./access-failures.ts";
import { fileFailures } from "./file-failures.ts";
import { generalFailures } from "./general-failures.ts";
import { createScene } from "./scene.ts";
import { uploadFailures } from "./upload-failures.ts";

/*
 * Every failure that the contract declares for an operation, by status and code: what is declared can happen. The
 * other direction is `expectDeclared`: what happens in any test is declared.
 */

const scene = await createScene();
afterAll(scene.discard);
const { site } = scene;

const cases = { ...fileFailures(scene), ...uploadFailures(scene), ...accessFailures(scene) };

/** Faults of the machine. Tests of full and broken disks and databases provoke them. */
const FAULTS: readonly string[] = ["500 unexpected", "503 unavailable", "507 no_space"];

/** Failures that would take too long, and why. */
const TOO_LONG: Readonly<Record<string, string>> = {
  "appendToUpload 408 too_slow": "The server waits for 120 seconds.",
  "restoreTrash 413 too_many": "There must be 200,000 changes.",
  "undoChanges 413 too_many": "There must be 200,000 changes.",
};

const FAULTS_OF_PROVIDERS = "test/oidc-faults.test.ts";
const PROVIDER = "server/access/oidc/provider.test.ts";
const ACCOUNTS_OF_PROVIDERS = "test/oidc-accounts.test.ts";

/** Failures that other tests provoke, with the file and what it contains. */
const ELSEWHERE: Readonly<Record<string, readonly [file: string, text: string]>> = {
  "signIn 403 password_sign_in_off": ["test/oidc.test.ts", "password_sign_in_off"],
  "acceptInvite 403 password_sign_in_off": ["test/oidc.test.ts", "/auth/invite"],
  "signInWithOidc 503 provider_unavailable": [PROVIDER, "provider_unavailable"],
  "signInWithOidc 400 sign_in_expired": [FAULTS_OF_PROVIDERS, "sign_in_expired"],
  "signInWithOidc 401 sign_in_expired": [ACCOUNTS_OF_PROVIDERS, "sign_in_expired"],
  "signInWithOidc 401 invalid_token": [FAULTS_OF_PROVIDERS, "invalid_token"],
  "signInWithOidc 401 provider_refused": [PROVIDER, "provider_refused"],
  "signInWithOidc 403 not_admitted": [ACCOUNTS_OF_PROVIDERS, "not_admitted"],
  "signInWithOidc 403 account_disabled": [ACCOUNTS_OF_PROVIDERS, "account_disabled"],
  "signInWithOidc 409 email_taken": [ACCOUNTS_OF_PROVIDERS, "email_taken"],
  "signInWithOidc 409 identity_taken": [ACCOUNTS_OF_PROVIDERS, "identity_taken"],
  "signInWithOidc 410 gone": [ACCOUNTS_OF_PROVIDERS, "410, /accepted/"],
  "disconnectIdentity 409 conflict": [ACCOUNTS_OF_PROVIDERS, "409, /Nothing else signs in/"],
};

const all = Object.values<Operation>(operations);
const each = all.map((operation) => [operation.id, operation] as const);
const pairsOf = (operation: Operation): string[] =>
  failuresOf(operation).flatMap(({ status, codes }) => codes.map((code) => `${status} ${code}`));

/** The service is set up already, and `setup` works only once. */
const exampleOf = async (operation: Operation): Promise<ExampleRequest> => {
  if (operation.id !== "setup") return scene.exampleOf(operation);
  const { path, headers, content } = bareExample(operation);
  return { path, headers: { ...headers, Origin: site.url }, content, after: async () => {} };
};

/** These examples turn the second factor off, which was turned on for them. */
const NEEDS_END = ["disableSecondFactor", "renewRecoveryCodes"];

describe.each(each)("%s", (id, operation) => {
  test("fails in every way that it declares", async () => {
    const example = await exampleOf(operation);
    const general = generalFailures(operation, example, scene);
    const found: Record<string, string> = {};
    for (const pair of pairsOf(operation)) {
      const name = `${id} ${pair}`;
      if (FAULTS.includes(pair) || name in TOO_LONG || name in ELSEWHERE) continue;
      const provoke = cases[name] ?? general[pair];
      if (provoke === undefined) throw new Error(`No test provokes ${name}: add a case for it.`);
      found[pair] = failureOf(operation, await provoke());
    }
    if (NEEDS_END.includes(id)) {
      const { path, headers, content, after } = example;
      await after(await send(site, operation.method, path, headers, content));
    }
    const pairs = Object.keys(found);
    expect(found).toEqual(Object.fromEntries(pairs.map((pair) => [pair, asSent(operation, pair)])));
  });
});

/** A response to `HEAD` has no body, and so no code. */
const asSent = ({ method }: Operation, pair: string): string =>
  method === "HEAD" ? (pair.split(" ")[0] ?? "") : pair;

/** The status and the code, or the text of a response that is no failure. */
function failureOf({ method }: Operation, response: HttpResponse): string {
  if (method === "HEAD") return `${response.status}`;
  return response.status < 400 ? `${response.status} ${response.text}` : codeOf(response);
}

test("no case is left of what is not declared any more", () => {
  const declared = all.flatMap((operation) =>
    pairsOf(operation).map((pair) => `${operation.id} ${pair}`),
  );
  const named = [...Object.keys(cases), ...Object.keys(TOO_LONG), ...Object.keys(ELSEWHERE)];
  expect(named.filter((name) => !declared.includes(name))).toEqual([]);
});

test.each(Object.entries(ELSEWHERE))("%s is provoked by another test", async (_, [file, text]) => {
  expect(await Bun.file(new URL(`../../${file}`, import.meta.url)).text()).toContain(text);
});
