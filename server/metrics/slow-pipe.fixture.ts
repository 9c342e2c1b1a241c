/* Writes requests and messages to standard error, as fast as it can. Started by `slow-pipe.test.ts`. */
import { createLog } from "../log.ts";
import { createAccessLog } from "./access-log.ts";

const log = createLog("info");
const requests = createAccessLog({}, "");
for (let turn = 0; turn < 40; turn += 1) {
  for (let at = 0; at < 300; at += 1) {
    requests.write({
      requestId: `${turn}-${at}`,
      traceparent: null,
      client: "192.0.2.1",
      keyId: undefined,
      method: "GET",
      route: "/api/hosting/*",
      path: `/api/hosting/${"a".repeat(at % 60 === 0 ? 6000 : (at * 37) % 200)}`,
      status: 200,
      bytes: 7,
      ms: 1,
    });
  }
  log.warn({ turn, key: "b".repeat(6000) }, "something happened");
  await new Promise((resolve) => setImmediate(resolve));
  log.warn({ turn }, "something else happened");
}
requests.close();
