import { api } from "../../test/client.ts";
import { filePart } from "../../test/multipart.ts";
import type { Instance } from "./instance.ts";

/** Time limit for a server to work again after its database is back. */
export const MAX_RECOVERY_MS = 15_000;

/**
 * Measures the time until each server is ready, stores a file and reads it. A server that exceeds
 * the limit is reported with its last response.
 */
export async function measureRecovery(
  instances: readonly Instance[],
): Promise<{ readonly milliseconds: number; readonly problems: string[] }> {
  const from = performance.now();
  const problems: string[] = [];
  await Promise.all(
    instances.map(async (instance) => {
      for (let answer = ""; ; ) {
        answer = await attempt(instance).catch((error: unknown) => String(error));
        if (answer === "") return;
        if (performance.now() - from > MAX_RECOVERY_MS) {
          problems.push(`${instance.name} has not recovered: ${answer}`);
          return;
        }
        await Bun.sleep(50);
      }
    }),
  );
  return { milliseconds: performance.now() - from, problems };
}

/** The unexpected response; empty: the server works. */
async function attempt(instance: Instance): Promise<string> {
  const ready = await api(instance).get("/api/health/ready");
  if (ready.status !== 200) return `ready: ${ready.text}`;
  const name = `after-${crypto.randomUUID()}.txt`;
  const stored = await api(instance).upload([filePart(name, name)]);
  if (stored.status !== 200) return `upload: ${stored.text}`;
  const seen = await api(instance).get(`/api/hosting/${name}`);
  return seen.text === name ? "" : `read: ${seen.status}`;
}
