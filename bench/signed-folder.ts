import { type Figure, median } from "./figure.ts";
import { load, type RequestLine } from "./load.ts";
import type { RunLength } from "./run-length.ts";
import { API_KEY, type ServerProcess, startServer } from "./server-process.ts";

const FILES = 1000;
const SIZE = 4096;
const CONNECTIONS = 32;
const FOLDER = "videos/regatta";
const MAX_RATIO = 1.2;

const HEADERS = { "API-Key": API_KEY, "Content-Type": "application/json" };

/** Private files of 4 KB at URLs of a signed folder, compared with signed URLs of the same files. */
export async function* signedFolder({ runs, seconds }: RunLength): AsyncGenerator<Figure> {
  const server = await startServer();
  try {
    const kinds = await signedLines(server);
    for (const lines of kinds)
      await load(server.url, lines, { connections: CONNECTIONS, seconds: 1 });
    const ratios: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      const costs: number[] = [];
      for (const lines of kinds) {
        const before = server.cpu();
        const { requests } = await load(server.url, lines, { connections: CONNECTIONS, seconds });
        costs.push(((server.cpu() - before) * 1000) / requests);
      }
      const [file = 0, folder = 0] = costs;
      ratios.push(folder / file);
    }
    const what = "Signed folder compared with signed files, 4 KB: CPU";
    yield { what, value: median(ratios), unit: "×", bar: MAX_RATIO };
  } finally {
    await server.stop();
  }
}

/** Requests for the same files: signed one by one, and with their folder. */
async function signedLines({ url }: ServerProcess): Promise<[RequestLine[], RequestLine[]]> {
  const keys = Array.from({ length: FILES }, (_, n) => `${FOLDER}/segment${n}.ts`);
  const content = "x".repeat(SIZE);
  for (const key of keys) {
    const target = `${url}/api/files/content?key=${key}&visibility=private`;
    await fetch(target, { method: "PUT", headers: { "API-Key": API_KEY }, body: content });
  }
  const sign = async (path: string, fields: object) => {
    const body = JSON.stringify({ ...fields, expiresIn: 86_400 });
    const response = await fetch(`${url}${path}`, { method: "POST", headers: HEADERS, body });
    return response.json();
  };
  const files: { readonly data: { readonly signed: readonly { readonly url: string }[] } } =
    await sign("/api/files/sign", { keys });
  const folder: { readonly data: { readonly url: string } } = await sign("/api/folders/sign", {
    key: FOLDER,
  });
  return [
    files.data.signed.map((each) => ({ path: `/${each.url}` })),
    keys.map((key) => ({ path: `/${folder.data.url}${key.slice(FOLDER.length + 1)}` })),
  ];
}
