import type { Page } from "playwright-core";
import type { HealthDetails } from "../sdk/src/holdall.ts";
import type { PageState } from "./page-state.ts";
import { failWith500, press } from "./steps.ts";

const GB = 1e9;

type Change = (health: HealthDetails) => HealthDetails;

/** Fakes what takes an instance weeks. */
const fakeHealth = (change: Change) => (page: Page) =>
  page.route("**/api/health/details", async (route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    await route.fulfill({ response, json: { data: change(data), error: null } });
  });

const fine: Change = (health) => ({
  ...health,
  workers: { configured: 4, running: 4 },
  storage: { ...health.storage, volume: { free: 310 * GB, size: 500 * GB } },
  scrub: {
    state: "finished",
    every: 2_592_000,
    rate: 20_000_000,
    found: 0,
    earlier: 0,
    findings: [],
    files: 1204,
    bytes: 73_400_320,
    startedAt: "2026-01-30 02:00:00",
    finishedAt: "2026-01-30 02:04:00",
  },
  backup: {
    finishedAt: now(),
    asOf: now(),
    path: "/backups/holdall",
    files: 1204,
    bytes: 73_400_320,
    damaged: 0,
  },
});

const failing: Change = (health) => ({
  ...fine(health),
  workers: { configured: 4, running: 3 },
  parts: [
    ...health.parts,
    { part: "redis", kind: "redis", problem: "Redis cannot be used; the log says why." },
  ],
  storage: { ...health.storage, volume: { free: 0.2 * GB, size: 500 * GB } },
  scrub: {
    ...fine(health).scrub,
    found: 2,
    findings: [
      { type: "damaged", fileId: "1", key: "photos/harbour.jpg", place: "9e3c00/05" },
      { type: "missing", fileId: "2", key: "notes/a very long name.txt", place: "9e3c00/06" },
    ],
  },
  verification: {
    finishedAt: "2026-01-29 10:00:00",
    quick: false,
    files: 1204,
    bytes: 73_400_320,
    missing: 1,
    damaged: 1,
    foreign: 0,
    catalog: 0,
    repaired: false,
  },
  backup: null,
  quarantine: { count: 1, latest: "2026-01-29T10-00-00.000Z" },
});

const onServices: Change = (health) => ({
  ...fine(health),
  parts: [
    { part: "catalog", kind: "postgres", problem: null },
    { part: "blobs", kind: "s3", problem: null },
    { part: "redis", kind: "redis", problem: null },
  ],
});

const now = (): string => new Date().toISOString().slice(0, 19).replace("T", " ");

export const HEALTH_PAGE_STATES: readonly PageState[] = [
  { name: "health", path: "/health", before: fakeHealth(fine) },
  { name: "health-new", path: "/health" },
  { name: "health-problems", path: "/health", before: fakeHealth(failing) },
  {
    name: "health-running",
    path: "/health",
    before: fakeHealth((health) => {
      const { scrub, ...rest } = fine(health);
      const half = { files: Math.ceil(health.storage.files / 2), finishedAt: null, earlier: 2 };
      return { ...rest, scrub: { ...scrub, ...half, state: "running", startedAt: now() } };
    }),
  },
  {
    name: "health-services",
    path: "/health",
    selector: "dialog[open]",
    before: fakeHealth(onServices),
    prepare: press("Check now"),
  },
  { name: "health-services-page", path: "/health", before: fakeHealth(onServices) },
  { name: "health-failing", path: "/health", before: failWith500("**/api/health/details") },
];
