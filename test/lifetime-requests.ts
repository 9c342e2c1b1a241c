import { z } from "zod";
import { api, send } from "./client.ts";
import { expectData } from "./expectations.ts";
import type { TestServer } from "./harness.ts";
import type { HttpResponse } from "./http-response.ts";
import { field, filePart, multipart } from "./multipart.ts";

const lifetime = z.strictObject({
  id: z.string(),
  key: z.string(),
  expiresAt: z.string().nullable(),
});

const base64 = (text: string) => Buffer.from(text).toString("base64");

export const codeOf = ({ status, text }: HttpResponse) => [status, JSON.parse(text).error?.code];

/** Uploads of every kind, and when their files end. */
export function lifetimeRequests(server: TestServer) {
  const withKey = { "API-Key": server.apiKey };
  return {
    post(path: string, fields: Readonly<Record<string, string>>, name = "f.txt") {
      const { contentType, bytes } = multipart([
        ...Object.entries(fields).map(([key, value]) => field(key, value)),
        filePart(name, "content"),
      ]);
      return send(server, "POST", path, { ...withKey, "Content-Type": contentType }, bytes);
    },
    put(key: string, query = "", body = "content") {
      const path = `/api/files/content?key=${encodeURIComponent(key)}${query}`;
      return send(server, "PUT", path, withKey, body);
    },
    /** An empty file by tus. */
    tus: (metadata: Readonly<Record<string, string>>) =>
      send(server, "POST", "/api/uploads", {
        ...withKey,
        "Tus-Resumable": "1.0.0",
        "Upload-Length": "0",
        "Upload-Metadata": Object.entries(metadata)
          .map(([name, text]) => `${name} ${base64(text)}`)
          .join(","),
      }),
    async endOf(key: string): Promise<string | null> {
      const answer = await api(server).get(`/api/files/lifetime?key=${encodeURIComponent(key)}`);
      return expectData(answer, lifetime).expiresAt;
    },
  };
}
