import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Operation } from "../../../contract/operation.ts";
import { operations } from "../../../contract/operations.ts";
import { referencePassages } from "../../../server/http/pages/reference-passages.ts";
import { operationUrl } from "../../../server/http/pages/reference-topics.ts";
import { renderGuide } from "../../build/guides.ts";
import { createSearch } from "./search.ts";

const DOCUMENTS = join(import.meta.dir, "../../../docs");

const find = createSearch([
  {
    url: "sharing",
    title: "Share by links",
    heading: "Share by links",
    text: "A link gives people a page.",
  },
  {
    url: "sharing#limits",
    title: "Share by links",
    heading: "Limits",
    text: "A password and an expiry.",
  },
  {
    url: "s3",
    title: "S3 API",
    heading: "S3 API",
    text: "Signatures of requests, and PASSWORDS of nobody.",
  },
]);
/** The search over all passages that the build writes. */
const whole = createSearch([
  ...[...new Bun.Glob("*.md").scanSync(DOCUMENTS)].flatMap((file) => {
    const { title, passages } = renderGuide(readFileSync(join(DOCUMENTS, file), "utf8"));
    const slug = file.slice(0, -3);
    return passages.map((each) => ({ ...each, title, url: each.id ? `${slug}#${each.id}` : slug }));
  }),
  ...referencePassages(),
]);
const urls = (text: string) => find(text, 5).map(({ url }) => url);

test.each([
  ["limits", ["sharing#limits"]],
  ["pass", ["sharing#limits", "s3"]],
  ["pasword expiry", ["sharing#limits"]],
  ["S3", ["s3"]],
  ["share limits", ["sharing#limits"]],
  ["signatures unheard", ["s3"]],
  ["unheard", []],
])("%j finds %j", (text, expected) => {
  expect(urls(text)).toEqual(expected);
});

describe("an operation of the API is found", () => {
  const every = Object.values<Operation>(operations).map(
    (each) => [each.id, each.summary, each] as const,
  );

  test.each(every)("by its id %s, and first by %s", (id, summary, operation) => {
    const url = operationUrl(operation);
    expect(whole(summary, 12)[0]?.url).toBe(url);
    expect(whole(id, 12).map((hit) => hit.url)).toContain(url);
  });

  test.each(every)("%s: %s, first by its method and path", (_, __, operation) => {
    const { method, path } = operation;
    expect(whole(`${method} ${path.replace("*}", "}")}`, 1)[0]?.url).toBe(operationUrl(operation));
  });

  test("with others at the end of a path", () => {
    const titles = (text: string) => whole(text, 4).map(({ title }) => title);
    expect(titles("api/links").toSorted()).toEqual(
      ["DELETE", "GET", "POST", "PUT"].map((method) => `${method} /api/links`),
    );
    expect(titles("keys/rotate")[0]).toBe("POST /api/keys/rotate");
  });
});
