import { expect, test } from "bun:test";
import type { LinkObject } from "../../../sdk/src/holdall.ts";
import {
  describeSettings,
  formatCaps,
  formatVisits,
  linkName,
  stateBadge,
} from "./describe-link.ts";

const link: LinkObject = {
  id: "l",
  url: "s/token",
  kind: "read",
  title: null,
  subject: { kind: "folder", id: "f", key: "trips/harbour", name: "harbour" },
  hasPassword: false,
  expiresAt: null,
  usesLeft: null,
  visits: 0,
  downloadOnly: false,
  maxBytes: null,
  maxFiles: null,
  deleteAtEnd: false,
  fileExpiresIn: null,
  fileExpiresAt: null,
  state: "active",
  createdAt: "2026-02-01 12:00:00",
  revokedAt: null,
  createdBy: { kind: "account", id: "a", name: "ada@example.com" },
};

test("counts visits, and those left", () => {
  expect(formatVisits(link)).toBe("No visits");
  expect(formatVisits({ ...link, visits: 1 })).toBe("1 visit");
  expect(formatVisits({ ...link, visits: 3, usesLeft: 7 })).toBe("3 visits, 7 left");
});

test("gives the limits of an upload request", () => {
  expect(formatCaps(link)).toBeUndefined();
  expect(formatCaps({ ...link, maxFiles: 20 })).toBe("At most 20 files");
  expect(formatCaps({ ...link, maxFiles: 1, maxBytes: 5 * 1024 ** 3 })).toBe(
    "At most 1 file, 5 GiB",
  );
});

test("sums up its settings, and leaves units as they are", () => {
  expect(describeSettings(link)).toBe("no expiry · no password");
  const caps = { maxFiles: 20, maxBytes: 2 * 1024 ** 3, hasPassword: true };
  expect(describeSettings({ ...link, ...caps })).toBe(
    "no expiry · password · at most 20 files, 2 GiB",
  );
});

test("is called by its title, or by what it shares", () => {
  expect(linkName({ ...link, title: "Summer" })).toBe("Summer");
  expect(linkName(link)).toBe("harbour");
  expect(linkName({ ...link, subject: { ...link.subject, key: "", name: "" } })).toBe("Files");
  expect(linkName({ ...link, subject: { ...link.subject, key: null, name: null } })).toBe("Link");
});

test("says why a link does not work", () => {
  expect(stateBadge(link)).toBeUndefined();
  expect(stateBadge({ ...link, state: "used_up" })?.text).toBe("Used up");
});
