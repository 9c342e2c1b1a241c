import { expect } from "bun:test";
import { z } from "zod";
import { api, type Reachable } from "./client.ts";
import { expectData } from "./expectations.ts";
import type { HttpResponse } from "./http-response.ts";

const quotaShape = z.strictObject({
  folder: z.strictObject({ id: z.string(), key: z.string() }),
  maxBytes: z.number().nullable(),
  maxFiles: z.number().nullable(),
  usedBytes: z.number(),
  usedFiles: z.number(),
  isExceeded: z.boolean(),
});
const quotaData = z.strictObject({ quota: quotaShape.nullable() });
const quotasData = z.strictObject({ quotas: z.array(quotaShape) });

export function quotaRequests(server: Reachable) {
  const a = api(server);
  const setQuota = (body: object) => a.json("PUT", "/api/folders/quota", body);
  const quotas = async (query = "") =>
    expectData(await a.get(`/api/folders/quota${query}`), quotasData).quotas;
  return {
    setQuota,
    quotas,
    /** Creates the folder with a quota. */
    async limited(folder: string, limits: object) {
      await a.folder(folder);
      return expectData(await setQuota({ key: folder, ...limits }), quotaData).quota;
    },
    /** What is used, as bytes and files. */
    async used(folder: string): Promise<[number, number]> {
      const [quota] = await quotas(`?key=${encodeURIComponent(folder)}`);
      return [quota?.usedBytes ?? Number.NaN, quota?.usedFiles ?? Number.NaN];
    },
  };
}

/** The status and the code of an error. */
export const codeOf = ({ status, text }: HttpResponse) => [status, JSON.parse(text).error?.code];

export function expectExceeded(answer: HttpResponse): void {
  expect(codeOf(answer)).toEqual([507, "quota_exceeded"]);
}
