import type { Figure } from "./figure.ts";
import { API_KEY, type ServerProcess, startServer } from "./server-process.ts";

const GIB = 1024 ** 3;
const SIZE = 4 * GIB;
const CHUNK = new Uint8Array(1024 * 1024).map((_, index) => index * 31);

/** Uploads and downloads 4 GiB: speed, and growth of the server's memory. */
export async function* largeFile(): AsyncGenerator<Figure> {
  const server = await startServer();
  try {
    const warmUp = await uploadZeroes(server, "warm-up.bin", 64 * 1024 * 1024);
    await download(server, warmUp);

    const up = await measured(server, () => uploadZeroes(server, "large.bin", SIZE));
    const down = await measured(server, () => download(server, up.result));
    if (down.result !== SIZE) throw new Error(`Downloaded ${down.result} of ${SIZE} bytes`);
    yield { what: "4 GiB upload", value: up.seconds, unit: "s" };
    yield { what: "4 GiB upload, memory change", value: up.growth, unit: "MB", bar: 64 };
    yield { what: "4 GiB download", value: down.seconds, unit: "s" };
    yield { what: "4 GiB download, memory change", value: down.growth, unit: "MB", bar: 64 };
  } finally {
    await server.stop();
  }
}

async function measured<T>(server: ServerProcess, workload: () => Promise<T>) {
  server.resetPeak();
  const before = server.memory();
  const started = performance.now();
  const result = await workload();
  const seconds = (performance.now() - started) / 1000;
  return { result, seconds, growth: Math.max(0, server.peakMemory() - before) };
}

/** Uploads `size` bytes as `name`; returns the hosting URL. */
async function uploadZeroes(server: ServerProcess, name: string, size: number): Promise<string> {
  const boundary = "bench-boundary";
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\n\r\n`;
  const tail = `\r\n--${boundary}--\r\n`;
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from(head)),
    pull(controller) {
      if (sent < size) controller.enqueue(CHUNK);
      else {
        controller.enqueue(Buffer.from(tail));
        controller.close();
      }
      sent += CHUNK.length;
    },
  });
  const response = await fetch(`${server.url}/api/files`, {
    method: "POST",
    headers: { "API-Key": API_KEY, "Content-Type": `multipart/form-data; boundary=${boundary}` },
    body,
  });
  const answer = (await response.json()) as { data: { files: { url: string }[] } };
  return `${server.url}/${answer.data.files[0]?.url}`;
}

async function download(_: ServerProcess, url: string): Promise<number> {
  const response = await fetch(url);
  let length = 0;
  for await (const chunk of response.body ?? []) length += chunk.length;
  return length;
}
