import { expect, test } from "bun:test";
import { InfiniteQueryObserver, QueryClient } from "@tanstack/react-query";
import type { FileObject, SearchPage } from "../../../../../sdk/src/holdall.ts";
import { eventually } from "../../../../../test/expectations.ts";
import { folderKey } from "./folder-query.ts";
import { createRefreshSearches, refreshSearchesNow, type SearchPart } from "./refresh-searches.ts";

const INTERVAL_MS = 100;
const PART_SIZE = 200;

const dates = { createdAt: "2026-01-01 00:00:00", updatedAt: "2026-01-01 00:00:00" };
const file = (id: string): FileObject => ({
  ...dates,
  id,
  name: id,
  size: 1,
  key: id,
  url: id,
  folderId: "root",
  mimeType: "text/plain",
  visibility: "public",
});

/** A search on screen, of this many files, and the requests for it. */
function showSearch(count: number) {
  const files = Array.from({ length: count }, (_, at) => file(String(at)));
  const requests: (SearchPart & { at: number })[] = [];
  /** Requests that will get no response. */
  const stalls = { count: 0 };
  const client = new QueryClient();
  const observer = new InfiniteQueryObserver(client, {
    queryKey: [...folderKey, { search: "a" }],
    queryFn: async ({ pageParam: { cursor, limit }, signal }): Promise<SearchPage> => {
      requests.push({ cursor, limit, at: performance.now() });
      if (stalls.count > 0) {
        stalls.count -= 1;
        await new Promise((_, reject) => signal.addEventListener("abort", reject));
      }
      const end = Number(cursor) + limit;
      const nextCursor = end < files.length ? String(end) : null;
      return {
        files: files.slice(Number(cursor), end),
        folders: [],
        nextCursor,
        total: files.length,
      };
    },
    initialPageParam: { cursor: "", limit: PART_SIZE },
    getNextPageParam: ({ nextCursor }: SearchPage, _pages, { limit }) =>
      nextCursor === null ? null : { cursor: nextCursor, limit },
  });
  const close = observer.subscribe(() => {});
  const shown = () =>
    observer.getCurrentResult().data?.pages.flatMap((page) => page.files.map(({ id }) => id)) ?? [];
  return {
    client,
    files,
    requests,
    stalls,
    refresh: createRefreshSearches(INTERVAL_MS),
    shown,
    close,
    /** Loads parts until this many files are shown. */
    async scrollTo(wanted: number) {
      await eventually("the first part", () => shown().length > 0);
      while (shown().length < wanted) await observer.fetchNextPage();
    },
  };
}

test("all parts of a search are loaded again in one request", async () => {
  const { client, files, requests, refresh, shown, scrollTo, close } = showSearch(900);
  await scrollTo(600);
  expect(requests).toHaveLength(3);
  files.splice(1, 1, file("new"));
  await refresh(client);
  expect(requests.slice(3)).toMatchObject([{ cursor: "", limit: 600 }]);
  expect(shown()).toEqual(files.slice(0, 600).map(({ id }) => id));
  await scrollTo(900);
  expect(shown()).toEqual(files.map(({ id }) => id));
  close();
});

test("more parts than one request may load are loaded in the fewest", async () => {
  const { client, files, requests, refresh, shown, scrollTo, close } = showSearch(2_500);
  await scrollTo(2_400);
  requests.length = 0;
  files.splice(1_500, 700);
  await refresh(client);
  expect(requests).toMatchObject([
    { cursor: "", limit: 800 },
    { cursor: "800", limit: 800 },
    { cursor: "1600", limit: 800 },
  ]);
  expect(shown()).toEqual(files.map(({ id }) => id));
  close();
});

test("many changes are loaded at once, at most once in each interval", async () => {
  const { client, requests, refresh, scrollTo, close } = showSearch(10);
  await scrollTo(10);
  for (let change = 0; change < 10; change += 1) void refresh(client);
  await refresh(client);
  expect(requests).toHaveLength(2);
  for (let change = 0; change < 10; change += 1) void refresh(client);
  await refresh(client);
  expect(requests).toHaveLength(3);
  const [, second, third] = requests.map(({ at }) => at);
  expect((third ?? 0) - (second ?? 0)).toBeGreaterThan(INTERVAL_MS - 5);
  close();
});

test("a search that is not on screen is not loaded", async () => {
  const { client, requests, refresh, scrollTo, close } = showSearch(10);
  await scrollTo(10);
  close();
  await refresh(client);
  expect(requests).toHaveLength(1);
});

test("a request for now does not wait for one without a response", async () => {
  const { client, files, requests, stalls, refresh, shown, scrollTo, close } = showSearch(10);
  await scrollTo(10);
  stalls.count = 1;
  const soon = refresh(client);
  await eventually("the request that gets no response", () => requests.length === 2);
  files.push(file("new"));
  await refreshSearchesNow(client);
  expect(shown()).toHaveLength(11);
  await soon;
  files.push(file("newer"));
  await refresh(client);
  expect(shown()).toHaveLength(12);
  close();
});

test("nothing is waited for after a refresh without a search on screen", async () => {
  const { client, requests, scrollTo, close } = showSearch(10);
  const refresh = createRefreshSearches(3_600_000);
  await refresh(new QueryClient());
  await scrollTo(10);
  await refresh(client);
  expect(requests).toHaveLength(2);
  close();
});
