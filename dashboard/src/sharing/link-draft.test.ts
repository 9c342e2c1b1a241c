import { describe, expect, test } from "bun:test";
import type { LinkObject } from "../../../sdk/src/holdall.ts";
import { changedOptions, draftOf, newDraft, newOptions, validateDraft } from "./link-draft.ts";

const now = new Date("2026-03-01T12:00:00Z");
const draft = newDraft(now, 7);
const link: LinkObject = {
  id: "l",
  url: "s/token",
  kind: "drop",
  title: "Photos",
  subject: { kind: "folder", id: "f", key: "photos", name: "photos" },
  hasPassword: true,
  expiresAt: "2026-03-08 12:00:00",
  usesLeft: 3,
  visits: 2,
  downloadOnly: false,
  maxBytes: 5 * 1024 ** 3,
  maxFiles: 20,
  deleteAtEnd: false,
  fileExpiresIn: null,
  fileExpiresAt: null,
  state: "active",
  createdAt: "2026-02-01 12:00:00",
  revokedAt: null,
  createdBy: { kind: "account", id: "a", name: "ada@example.com" },
};

describe("a new link", () => {
  test("expires after a week, and has nothing else", () => {
    expect(newOptions(draft, "read", now)).toEqual({ expiresIn: 7 * 86_400 });
    expect(newOptions({ ...draft, expiry: "never" }, "drop", now)).toEqual({});
  });

  test("has the options of its kind", () => {
    const full = {
      ...draft,
      expiry: "never",
      title: " Harbour ",
      isProtected: true,
      password: "tide ",
      uses: "10",
      downloadOnly: true,
      maxFiles: "5",
      maxSize: { text: "1.5", factor: 1024 ** 2 },
    };
    const shared = { title: "Harbour", password: "tide ", uses: 10 };
    expect(newOptions(full, "read", now)).toEqual({ ...shared, downloadOnly: true });
    expect(newOptions(full, "drop", now)).toEqual({
      ...shared,
      maxFiles: 5,
      maxBytes: 1.5 * 1024 ** 2,
    });
  });
});

describe("a changed link", () => {
  const before = draftOf(link, now);

  test("without changes keeps everything", () => {
    expect(changedOptions(before, before, "drop", now)).toEqual({});
  });

  test("gives null for what is removed", () => {
    const after = {
      ...before,
      title: "",
      expiry: "never",
      isProtected: false,
      uses: "",
      maxFiles: "",
      maxSize: { text: "", factor: 1 },
    };
    expect(changedOptions(after, before, "drop", now)).toEqual({
      title: null,
      expiresAt: null,
      password: null,
      uses: null,
      maxFiles: null,
      maxBytes: null,
    });
  });

  test("keeps its password while the field is empty", () => {
    expect(changedOptions({ ...before, password: "new" }, before, "drop", now)).toEqual({
      password: "new",
    });
  });

  test("may stay expired or used up", () => {
    const past = draftOf({ ...link, expiresAt: "2026-02-20 12:00:00", usesLeft: 0 }, now);
    const errors = validateDraft({ ...past, title: "Other" }, past, now);
    expect(Object.values(errors).filter((error) => error !== undefined)).toEqual([]);
    expect(validateDraft({ ...past, uses: "-1" }, past, now).uses).toContain("whole number");
  });
});

test("an invalid form says what is wrong", () => {
  const errors = validateDraft(
    {
      ...draft,
      expiry: "custom",
      customExpiry: "2020-01-01T00:00",
      isProtected: true,
      uses: "0",
      maxFiles: "many",
      maxSize: { text: "x", factor: 1 },
    },
    draft,
    now,
  );
  expect(errors).toEqual({
    customExpiry: "This is in the past. Choose a later time.",
    password: "Enter a password.",
    uses: "Enter a whole number of at least 1, or leave it empty.",
    maxFiles: "Enter a whole number of at least 1, or leave it empty.",
    maxSize: "Enter a number, such as 12 or 1.5, or leave it empty.",
  });
});
