import { describe, expect, test } from "bun:test";
import { withoutSecrets } from "./access-log.ts";

describe("a path in the access log has no token", () => {
  test.each([
    ["/s/TOKEN", "/s/…"],
    ["/s/TOKEN/photos/a.jpg", "/s/…/photos/a.jpg"],
    ["//s//TOKEN/a", "//s//…/a"],
    ["/api/uploads/TOKEN", "/api/uploads/…"],
    ["/api//uploads//TOKEN", "/api//uploads//…"],
    ["/api/batches/TOKEN/files", "/api/batches/…/files"],
    ["/api/hosting/~TOKEN/a.txt", "/api/hosting/~…/a.txt"],
    ["/api/hosting/%7ETOKEN/a.txt", "/api/hosting/%7E…/a.txt"],
    ["/api/hosting/%7eTOKEN/a.txt", "/api/hosting/%7e…/a.txt"],
    ["/api/hosting//~TOKEN/a.txt", "/api/hosting//~…/a.txt"],
    ["//api/hosting/~TOKEN/a.txt", "//api/hosting/~…/a.txt"],
  ])("%s", (path, expected) => {
    expect(withoutSecrets(path, "")).toBe(expected);
    expect(withoutSecrets(`/files${path}`, "/files")).toBe(`/files${expected}`);
  });

  test.each(["/api/files", "/api/hosting/s/a.txt", "/bucket/s/a.txt", "/api/uploads", "/docs"])(
    "%s stays",
    (path) => {
      expect(withoutSecrets(path, "")).toBe(path);
      expect(withoutSecrets(path, "/files")).toBe(path);
    },
  );
});
