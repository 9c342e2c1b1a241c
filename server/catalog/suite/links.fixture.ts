import type { LinkRecord } from "../../domain/links.ts";

/** A link without limits, which is not in the catalog yet. */
export function newLink(subject: LinkRecord["subject"]): LinkRecord {
  const id = Bun.randomUUIDv7();
  return {
    id,
    tokenHash: `hash ${id}`,
    kind: "read",
    subject,
    title: null,
    maker: { kind: "account", id: "ada", name: "ada@example.org" },
    passwordHash: null,
    passwordVersion: 0,
    expiresAt: null,
    usesLeft: null,
    visits: 0,
    downloadOnly: false,
    maxBytes: null,
    maxFiles: null,
    lifetime: null,
    deleteAtEnd: false,
    createdAt: 5,
    revokedAt: null,
  };
}
