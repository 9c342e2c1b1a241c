import { readFileSync } from "node:fs";

/** Counts the tests in a JUnit report and gives the titles of those skipped; zero without a report. */
export function readReport(file) {
  let xml = "";
  try {
    xml = readFileSync(file, "utf8");
  } catch {
    return { passed: 0, failed: 0, skipped: [] };
  }
  const head = /<testsuites [^>]*>/.exec(xml)?.[0] ?? "";
  const number = (name) => Number(new RegExp(` ${name}="(\\d+)"`).exec(head)?.[1] ?? 0);
  const skipped = [...xml.matchAll(/<testcase name="([^"]*)"[^>]*[^/]>\s*<skipped/g)];
  const failed = number("failures");
  return {
    passed: number("tests") - failed - number("skipped"),
    failed,
    skipped: skipped.map(([, title]) => title),
  };
}
