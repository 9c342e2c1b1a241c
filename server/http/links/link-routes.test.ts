import { afterAll, expect, test } from "bun:test";
import type { Gate } from "../gate.ts";
import { linkRoutes } from "./link-routes.ts";
import type { ServeLink } from "./serve-link.ts";

/** Reads the body, after access is granted if the query has `granted`. */
const serveLink: ServeLink = async ({ request, target, allowSlow }) => {
  if (target.query.has("granted")) allowSlow();
  return new Response(await request.text());
};
const gate: Pick<Gate, "admit" | "clientOf"> = {
  admit: () => undefined,
  clientOf: () => "127.0.0.1",
};
const server = Bun.serve({
  ...{ port: 0, hostname: "127.0.0.1", idleTimeout: 1 },
  routes: linkRoutes({
    ...{
      gate: gate as Gate,
      serveLink,
      meter: () => {},
      keyMeter: () => {},
      freshSettings: () => undefined,
    },
    onError: () => new Response(null, { status: 500 }),
  }),
});
afterAll(() => server.stop(true));

/** Sends half a body and waits. Resolves with what arrives until the server closes the connection. */
async function sendHalf(path: string, whenSilent?: (finish: () => void) => void): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let received = "";
  const socket = await Bun.connect({
    ...{ hostname: "127.0.0.1", port: server.port ?? 0 },
    socket: {
      data(_, bytes) {
        received += bytes.toString();
        if (received.includes("12345678")) resolve(received);
      },
      close: () => resolve(received),
    },
  });
  socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8\r\n\r\n1234`);
  whenSilent?.(() => void socket.write("5678"));
  try {
    return await promise;
  } finally {
    socket.end();
  }
}

test("a request that sends nothing more is closed, also if its link exists", async () => {
  expect(await sendHalf("/s/token")).not.toContain("200 OK");
});

test("a request that was granted access may pause", async () => {
  const found = await sendHalf("/s/token?granted=1", (finish) => setTimeout(finish, 12_000));
  expect(found).toContain("200 OK");
});
