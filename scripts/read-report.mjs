import { readFileSync } from "node:fs";

/**
 * Counts the tests in a JUnit report, and gives the titles of those skipped and the failures
 * `{ title, message }`; zero without a report.
 */
export function readReport(file) {
  let xml = "";
  try {
    xml = readFileSync(file, "utf8");
  } catch {
    return { passed: 0, failed: 0, skipped: [], failures: [] };
  }
  const head = /<testsuites [^>]*>/.exec(xml)?.[0] ?? "";
  const number = (name) => Number(new RegExp(` ${name}="(\\d+)"`).exec(head)?.[1] ?? 0);
  const skipped = [...xml.matchAll(/<testcase name="([^"]*)"[^>]*[^/]>\s*<skipped/g)];
  const failures = [...xml.matchAll(/<testcase ([^>]*[^/])>\s*<failure ([^>]*)>/g)];
  const failed = number("failures");
  return {
    passed: number("tests") - failed - number("skipped"),
    failed,
    skipped: skipped.map(([, title]) => decode(title)),
    failures: failures.map(([, test, failure]) => ({
      title: [attribute(test, "classname"), attribute(test, "name")].filter(Boolean).join(" > "),
      message: attribute(failure, "message") || attribute(failure, "type"),
    })),
  };
}

const attribute = (text, name) =>
  decode(new RegExp(`(?:^| )${name}="([^"]*)"`).exec(text)?.[1] ?? "");

const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const decode = (text) =>
  text.replace(/&(?:#(\d+)|(\w+));/g, (entity, code, name) =>
    code === undefined ? (ENTITIES[name] ?? entity) : String.fromCodePoint(Number(code)),
  );
