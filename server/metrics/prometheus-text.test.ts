import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { families } from "./families.ts";
import { prometheusText } from "./prometheus-text.ts";
import { addUpCounts, createRequestCounts } from "./request-counts.ts";

test("labels may have any text, and every sample stays on its line", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (folder) => {
      const text = prometheusText([
        { name: "a", type: "gauge", help: "A.", samples: [{ labels: { folder }, value: 1 }] },
      ]);
      const [, , sample, end] = text.split("\n");
      expect(end).toBe("");
      const [, label] = /^a\{folder="(.*)"\} 1$/s.exec(sample ?? "") ?? [];
      const read = label?.replace(/\\(.)/g, (_, what: string) => (what === "n" ? "\n" : what));
      expect(read).toBe(folder);
    }),
  );
});

test("counts of processes add up, and buckets are cumulative", () => {
  const one = createRequestCounts();
  const other = createRequestCounts();
  for (const [counts, seconds] of [
    [one, 0.0005],
    [one, 0.3],
    [other, 0.3],
    [other, 99],
  ] as const) {
    counts.started(5);
    counts.ended("listFiles", 200, seconds);
  }
  other.started(1);
  other.countSent(7);
  const counts = addUpCounts([one.read(), other.read()]);
  expect(counts).toMatchObject({ inProgress: 1, receivedBytes: 21, sentBytes: 7 });
  const text = prometheusText(
    families({
      counts,
      version: "1.0.0",
      startedAt: 0,
      health: undefined,
      topFolders: [],
      waitingDeliveries: { active: 3, paused: 0 },
      minFreeSpace: 0,
    }),
  );
  const labels = 'http_route="listFiles",http_response_status_code="200"';
  const bucket = (le: string) => `_seconds_bucket{${labels},le="${le}"}`;
  expect(text).toContain(`${bucket("0.001")} 1\n`);
  expect(text).toContain(`${bucket("0.25")} 1\n`);
  expect(text).toContain(`${bucket("0.5")} 3\n`);
  expect(text).toContain(`${bucket("10")} 3\n`);
  expect(text).toContain(`${bucket("+Inf")} 4\n`);
  expect(text).toContain(`_seconds_count{${labels}} 4\n`);
  expect(text).toContain('holdall_webhook_events_waiting{state="active"} 3\n');
});

const FILES = ["deploy/grafana-dashboard.json", "deploy/prometheus-alerts.yaml", "docs/metrics.md"];

test.each(FILES)("%s names metrics that exist", (path) => {
  const source = readFileSync(new URL("families.ts", import.meta.url), "utf8");
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
  const named = text.match(/\b(?:holdall|process|http_server)_[a-z_]+/g) ?? [];
  const names = new Set(
    named.map((name) => name.replace(/(?<=duration_seconds)_(?:count|bucket)$/, "")),
  );
  expect(names.size).toBeGreaterThan(5);
  for (const name of names) expect(source).toContain(`"${name}"`);
});
