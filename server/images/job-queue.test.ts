import { expect, test } from "bun:test";
import { Fault } from "../domain/faults/fault.ts";
import { createJobQueue } from "./job-queue.ts";

/** Jobs that end when the test says so. */
function controlledJobs() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    job: (name: string) => () => {
      started.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    },
    end: (name: string) => ends.get(name)?.(),
  };
}

const { signal } = new AbortController();

test("runs jobs in order, a few at a time", async () => {
  const { started, job, end } = controlledJobs();
  const queue = createJobQueue<string>({ concurrency: 2, maxWaiting: 5 });
  const results = ["a", "b", "c"].map((name) => queue.run(name, job(name), signal));
  expect(started).toEqual(["a", "b"]);
  end("b");
  expect(await results[1]).toBe("b");
  expect(started).toEqual(["a", "b", "c"]);
  end("a");
  end("c");
  expect(await Promise.all(results)).toEqual(["a", "b", "c"]);
});

test("jobs with the same key are one", async () => {
  const { started, job, end } = controlledJobs();
  const queue = createJobQueue<string>({ concurrency: 1, maxWaiting: 5 });
  const results = [1, 2, 3].map(() => queue.run("a", job("a"), signal));
  end("a");
  expect(await Promise.all(results)).toEqual(["a", "a", "a"]);
  expect(started).toEqual(["a"]);
  const again = queue.run("a", job("again"), signal);
  end("again");
  expect(await again).toBe("again");
});

test("refuses jobs when too many wait, but not those that wait already", async () => {
  const { job, end } = controlledJobs();
  const queue = createJobQueue<string>({ concurrency: 1, maxWaiting: 1 });
  const running = queue.run("a", job("a"), signal);
  const waiting = queue.run("b", job("b"), signal);
  const refused = await queue.run("c", job("c"), signal).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Fault);
  expect(refused).toMatchObject({ kind: "unavailable", retryAfter: 2 });
  const joined = queue.run("b", job("b"), signal);
  end("a");
  await running;
  end("b");
  expect(await Promise.all([waiting, joined])).toEqual(["b", "b"]);
});

test("drops a waiting job when all its callers have left", async () => {
  const { started, job, end } = controlledJobs();
  const queue = createJobQueue<string>({ concurrency: 1, maxWaiting: 5 });
  const running = queue.run("a", job("a"), signal);
  const [one, other] = [new AbortController(), new AbortController()];
  const left = [one, other].map((each) => queue.run("b", job("b"), each.signal));
  const last = queue.run("c", job("c"), signal);
  one.abort();
  await expect(left[0]).rejects.toMatchObject({ kind: "unavailable" });
  other.abort();
  await expect(left[1]).rejects.toMatchObject({ kind: "unavailable" });
  end("a");
  await running;
  expect(started).toEqual(["a", "c"]);
  end("c");
  expect(await last).toBe("c");
});

test("a job that runs goes on for the callers that stay", async () => {
  const { job, end } = controlledJobs();
  const queue = createJobQueue<string>({ concurrency: 1, maxWaiting: 5 });
  const leaving = new AbortController();
  const left = queue.run("a", job("a"), leaving.signal);
  const stays = queue.run("a", job("a"), signal);
  leaving.abort();
  await expect(left).rejects.toMatchObject({ kind: "unavailable" });
  end("a");
  expect(await stays).toBe("a");
});

test("a failure is the failure of all callers, and is not kept", async () => {
  const queue = createJobQueue<string>({ concurrency: 1, maxWaiting: 5 });
  const fail = () => Promise.reject(new Error("broken"));
  const runs = [queue.run("a", fail, signal), queue.run("a", fail, signal)];
  const results = await Promise.allSettled(runs);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await queue.run("a", async () => "fine", signal)).toBe("fine");
});
