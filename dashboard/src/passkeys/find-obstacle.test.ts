import { expect, test } from "bun:test";
import { findObstacle } from "./find-obstacle.ts";

const fine = { hostname: "files.example.com", isSecureContext: true, hasWebAuthn: true };

test("passkeys need a host name, HTTPS or localhost, and a browser that knows them", () => {
  expect(findObstacle(fine)).toBeUndefined();
  expect(findObstacle({ ...fine, hostname: "localhost" })).toBeUndefined();
  for (const hostname of ["127.0.0.1", "192.0.2.10", "[::1]"]) {
    expect(findObstacle({ ...fine, hostname })).toBe("address");
  }
  const insecure = { isSecureContext: false, hasWebAuthn: false };
  expect(findObstacle({ ...fine, ...insecure })).toBe("insecure");
  expect(findObstacle({ ...fine, hasWebAuthn: false })).toBe("browser");
});
