import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decode, encodePng, pngOf } from "../../test/image-encoders.ts";
import { createImageChild, IMAGE_LIMITS, type ImageProcess } from "./image-child.ts";
import { createLaunchImageProcess } from "./launch-image-process.ts";
import type { RenderJob } from "./rendering.ts";

const launch = createLaunchImageProcess([join(import.meta.dir, "../main.ts")]);
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "holdall-child-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function jobOf(name: string, image: Uint8Array): RenderJob {
  const path = join(folder, name);
  writeFileSync(path, image);
  return { path, edge: 32, quality: 80, format: "webp", maxPixels: 50_000_000 };
}

const photo = () =>
  jobOf(
    "photo.png",
    encodePng(64, 48, (x) => [x * 4, 0, 0]),
  );
/** Takes a while to decode. */
const large = () =>
  jobOf("large.png", pngOf(6000, 6000, Buffer.alloc(6000 * 6001 * 3), { colorType: 2 }));

/** Starts children, and remembers them. */
function recording() {
  const started: ImageProcess[] = [];
  return {
    started,
    launch: (receive: Parameters<typeof launch>[0]) => {
      const process = launch(receive);
      started.push(process);
      return process;
    },
  };
}

test("renders one image after another in one process, which ends with the server", async () => {
  const { started, launch: start } = recording();
  const child = createImageChild(start);
  for (let times = 0; times < 3; times += 1) {
    const result = await child.render(photo());
    if (!("bytes" in result)) throw new Error(result.flaw);
    const image = await decode(new Uint8Array(result.bytes));
    expect([image.width, image.height]).toEqual([32, 24]);
  }
  expect(started).toHaveLength(1);
  await child.close();
  await started[0]?.exited;
  await expect(child.render(photo())).rejects.toThrow("stopping");
});

test("a child that is killed during an image is replaced", async () => {
  const { started, launch: start } = recording();
  const child = createImageChild((receive) => {
    const process = start(receive);
    return {
      ...process,
      send: (job) => {
        if (started.length === 1) process.kill();
        else process.send(job);
      },
    };
  });
  expect(await child.render(photo())).toHaveProperty("bytes");
  expect(started).toHaveLength(2);
  await child.close();
});

test("an image that ends every child is too costly, and the next one is not", async () => {
  const { started, launch: start } = recording();
  const child = createImageChild((receive) => {
    const process = start(receive);
    return {
      ...process,
      send: (job) => (job.path.includes("large") ? process.kill() : process.send(job)),
    };
  });
  expect(await child.render(large())).toEqual({ flaw: "too costly" });
  expect(started).toHaveLength(2);
  expect(await child.render(photo())).toHaveProperty("bytes");
  await child.close();
});

test("an image that takes too long ends its child", async () => {
  const { started, launch: start } = recording();
  const child = createImageChild(start, { ...IMAGE_LIMITS, wallMs: 0 });
  const late = child.render(large());
  if (process.platform === "linux") {
    await expect(late).rejects.toMatchObject({ kind: "unavailable", retryAfter: 10 });
  } else expect(await late).toEqual({ flaw: "too costly" });
  await started[0]?.exited;
  await child.close();
});

test.each([
  ["processor time", { cpuMs: -1 }],
  ["memory", { bytes: 1_000_000 }],
])("an image that takes too much %s ends its child", async (_, limit) => {
  if (process.platform !== "linux") return;
  const { started, launch: start } = recording();
  const child = createImageChild(start, { ...IMAGE_LIMITS, ...limit });
  expect(await child.render(large())).toEqual({ flaw: "too costly" });
  await started[0]?.exited;
  expect(started).toHaveLength(1);
  await child.close();
});

test.each([
  ["not an image", Buffer.from("a text"), 50_000_000],
  ["damaged", encodePng(64, 48, () => [1, 2, 3]).subarray(0, 100), 50_000_000],
  ["too large", encodePng(64, 48, () => [1, 2, 3]), 1000],
] as const)("an image that is %s is said to be so", async (flaw, image, maxPixels) => {
  const child = createImageChild(launch);
  expect(await child.render({ ...jobOf("flawed", image), maxPixels })).toEqual({ flaw });
  expect(await child.render(photo())).toHaveProperty("bytes");
  await child.close();
});
