import { expect, test } from "bun:test";
import { createSearch } from "./search.ts";

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
