import { expect, test } from "bun:test";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { eventually } from "../../../../../test/expectations.ts";
import { createRefreshPeeks, folderPeeksKey } from "./refresh-peeks.ts";

const INTERVAL_MS = 100;

/** The peeks of one list on screen, and the requests for them. */
function showPeeks(key = "photos", client = new QueryClient()) {
  const requests: { at: number; signal: AbortSignal; respond: () => void }[] = [];
  const observer = new QueryObserver(client, {
    queryKey: [...folderPeeksKey, key],
    queryFn: ({ signal }) =>
      new Promise<number>((resolve) => {
        const number = requests.length;
        requests.push({ at: performance.now(), signal, respond: () => resolve(number) });
      }),
  });
  const close = observer.subscribe(() => {});
  const refresh = createRefreshPeeks(INTERVAL_MS);
  const loaded = (number: number) =>
    eventually(`response ${number}`, async () => {
      requests[number]?.respond();
      return observer.getCurrentResult().data === number;
    });
  return { client, requests, refresh, loaded, close };
}

test("a change during the first load is loaded after it", async () => {
  const { client, requests, refresh, loaded, close } = showPeeks();
  refresh(client);
  refresh(client, [{ kind: "file.created", key: "photos/2026/a.jpg", fromKey: null }]);
  expect(requests).toHaveLength(1);
  await loaded(0);
  await loaded(1);
  expect(requests[0]?.signal.aborted).toBe(false);
  close();
});

test("many changes are loaded at once, at most once in each interval, and cancel nothing", async () => {
  const { client, requests, refresh, loaded, close } = showPeeks();
  await loaded(0);
  for (let change = 0; change < 10; change += 1) refresh(client);
  await eventually("the first of them is loaded", () => requests.length === 2);
  for (let change = 0; change < 10; change += 1) refresh(client);
  await loaded(1);
  await loaded(2);
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([false, false, false]);
  const [, second, third] = requests.map(({ at }) => at);
  expect((third ?? 0) - (second ?? 0)).toBeGreaterThan(INTERVAL_MS - 5);
  close();
});

test("only the lists that contain the folders of changed files are loaded", async () => {
  const { client, requests, refresh, loaded, close } = showPeeks();
  const other = showPeeks("other", client);
  await loaded(0);
  await other.loaded(0);
  refresh(client, [
    { kind: "file.created", key: "photos/a.jpg", fromKey: null },
    { kind: "file.moved", key: "b.jpg", fromKey: "other/2026/b.jpg" },
  ]);
  await other.loaded(1);
  expect(requests).toHaveLength(1);
  refresh(client, [{ kind: "folder.moved", key: "photos/2027", fromKey: "photos/2026" }]);
  await loaded(1);
  expect(other.requests).toHaveLength(2);
  close();
  other.close();
});
