import { afterAll, expect, test } from "bun:test";
import { Fault } from "../../../domain/faults/fault.ts";
import { EVERYONE, openObjectsFixture } from "../../../objects/objects.fixture.ts";
import { createPutContent } from "./put-content.ts";

const { files, blobs, fixture } = await openObjectsFixture();
afterAll(() => fixture.end());

test("a put that fails before its body is read leaves no claim of space", async () => {
  const unavailable = new Fault("unavailable", "The catalog does not reply.");
  const look = { ...files.look, fileAt: () => Promise.reject(unavailable) };
  const put = createPutContent({ ...files, look }, Date.now);
  const length = Math.floor(((await blobs.freeSpace()) ?? 0) * 0.6);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const headers = { "Content-Length": String(length) };
    const answer = put({
      request: new Request("http://localhost/", { method: "PUT", body: "content", headers }),
      query: { key: "a.txt" },
      body: undefined,
      parameters: {},
      client: "127.0.0.1",
      identity: undefined,
      caller: EVERYONE,
      authorize: () => EVERYONE,
      authenticateAgain: () => undefined,
      requireStillAuthenticated: async () => {},
      addAuditDetails: () => {},
      setCookie: () => {},
      setStatus: () => {},
      setHeader: () => {},
    });
    expect(await answer.catch((error: unknown) => error)).toBe(unavailable);
  }
});
