import { API_KEY, startServer } from "../server-process.ts";
import { FORM_TYPE, formAround } from "../uploads/form.ts";
import type { StorageServer } from "./storage-server.ts";

/** Holdall, with uploads in forms. */
export async function startHoldall(): Promise<StorageServer> {
  const server = await startServer({ env: { DEFAULT_FILE_VISIBILITY: "public" } });
  const headers = [`API-Key: ${API_KEY}`, `Content-Type: ${FORM_TYPE}`];
  return {
    ...server,
    name: "Holdall",
    publicPath: (name) => `/api/hosting/${name}`,
    upload(name, content) {
      const { head, tail } = formAround(name);
      return { path: "/api/files", headers, body: head + content + tail };
    },
  };
}
