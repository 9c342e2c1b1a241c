import { afterAll } from "bun:test";
import { Holdall, type NewLink } from "../sdk/src/holdall.ts";
import { startServer, type TestServer } from "./harness.ts";

/** The headers of a browser that opens a page. */
export const PAGE = { Accept: "text/html,*/*;q=0.8" };

export interface LinkServer {
  readonly server: TestServer;
  readonly holdall: Holdall;
  /** The URL of a new link to the folder `shared`, or to what `options` name. */
  share(options?: Partial<NewLink>): Promise<string>;
  fileId(key: string): Promise<string>;
}

/** A server for the tests of a file, with the folder `shared` and a file outside it. */
export async function startLinkServer(): Promise<LinkServer> {
  const server = await startServer();
  afterAll(() => server.discard());
  const holdall = new Holdall({ url: server.url, apiKey: server.apiKey });
  const file = (name: string, content: string, folder = "shared") =>
    holdall.files.upload(new Blob([content]), { name, folder });
  await file("notes.txt", "the notes");
  await file("active.svg", '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>');
  await file("page.html", "<script>alert(1)</script>");
  await file("paper.pdf", "%PDF-1.7");
  await file("photo.png", "not really a picture");
  await file("b&<c>.txt", "below", "shared/sub/deep");
  await file("outside.txt", "outside", "elsewhere");
  const folderId = (await holdall.folders.browse({ key: "shared" })).folder.id;
  return {
    server,
    holdall,
    async share(options = {}) {
      const subject = "fileId" in options ? {} : { folderId };
      const link = await holdall.links.create({ ...subject, ...options } as NewLink);
      return `${server.url}/${link.url}`;
    },
    fileId: async (key) => (await holdall.files.getByKey(key)).id,
  };
}

/** Requests a link like a browser, and does not follow redirects. */
export const get = (url: string, headers: Record<string, string> = PAGE, method = "GET") =>
  fetch(url, { method, headers, redirect: "manual" });

export const visitCookie = (response: Response): string =>
  response.headers.get("set-cookie")?.split(";")[0] ?? "";
