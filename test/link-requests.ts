import { expect } from "bun:test";
import { z } from "zod";
import { api, type HeaderPairs, type Reachable, send } from "./client.ts";
import { expectData } from "./expectations.ts";

const made = z.object({ link: z.object({ id: z.string(), url: z.string() }) });

/** Makes links on a server, and requests their URLs. */
export const linkRequests = (server: Reachable) => ({
  /** Makes a link; returns its id and path. */
  async share(body: object) {
    const { link } = expectData(await api(server).json("POST", "/api/links", body), made);
    return { id: link.id, path: `/${link.url}` };
  },
  secretFile: (path: string, content: string) =>
    api(server).put(path, content, { visibility: "private" }),
  visit: (path: string, headers: HeaderPairs = {}, method = "GET") =>
    send(server, method, path, headers),
});

/** The cookie of the visit that a response began, which sets no other. */
export function newVisitCookie(answer: { all(name: string): string[] }): string {
  const [set = "", ...more] = answer.all("set-cookie");
  expect(set).toMatch(/^holdall-link=/);
  expect(more).toEqual([]);
  return set.split(";")[0] ?? "";
}
