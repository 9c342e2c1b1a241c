import { z } from "zod";
import type { LinkObject } from "../api.ts";
import { givenFields, subjectBy } from "../audit.ts";
import { changeLinkBody, createLinkBody, revokeLinkBody } from "../bodies/links.ts";
import { defineOperation } from "../define-operation.ts";
import { EXAMPLE_ID } from "../example.ts";
import { linkObject } from "../objects/links.ts";
import { linksQuery } from "../queries.ts";
import { deletedIds, nextCursor } from "./common.ts";

const UNKNOWN = "The link does not exist, or the API key may not manage it.";
const REVOKED = "The link is revoked.";

const subjectOf = ({ id, title, subject }: LinkObject) => ({
  kind: "link" as const,
  id,
  name: title ?? subject.key,
});

/** Links that can be revoked, for people without an account. */
export const linkOperations = {
  listLinks: defineOperation({
    id: "listLinks",
    method: "GET",
    path: "/api/links",
    tag: "Links",
    summary: "List links",
    description:
      "Newest first. Links that expired or were revoked more than 30 days ago are removed, and so are those whose file or folder is deleted permanently.",
    access: "caller",
    permission: { actions: ["share"], places: ["links"] },
    budget: "api",
    query: linksQuery,
    response: { data: z.object({ links: z.array(linkObject), nextCursor }) },
    errors: {
      400: "A parameter is invalid, or more than one file or folder is given.",
      404: "No file or folder has the key.",
    },
    audit: null,
    example: {
      query: { folder: "photos" },
      sdk: `const { links } = await holdall.links.list({
  folder: "photos",
});`,
    },
  }),
  createLink: defineOperation({
    id: "createLink",
    method: "POST",
    path: "/api/links",
    tag: "Links",
    summary: "Create a link for visitors",
    description:
      "Anyone with the link sees the file, or everything in the folder, or sends files into the folder (`kind`: `drop`). The link is bound to the file or folder, not to its name: it follows renames and moves, and ends with a deletion. It has the rights of its key or account, as they are at each visit. A folder also needs the action `list`; a drop link needs `write` instead of `read`.",
    access: "caller",
    permission: { actions: ["share", "read"], places: ["subject"] },
    budget: "api",
    body: { json: createLinkBody },
    response: { data: z.object({ link: linkObject }) },
    errors: {
      400: "Not exactly one of `fileId`, `folderId`, `key` and `folder` is given, a key is invalid, or an option is invalid or does not fit the kind of link.",
      404: "The file or folder does not exist.",
    },
    codes: ["invalid_lifetime"],
    audit: {
      before: ({ fileId, folderId, key, folder, kind }) => ({
        subject:
          subjectBy("file", { id: fileId, key }) ??
          subjectBy("folder", { id: folderId, key: folder }),
        detail: { kind: kind ?? "read" },
      }),
      after: ({ link: { id, hasPassword, expiresAt, usesLeft, title } }) => ({
        detail: {
          link: id,
          ...givenFields({
            title: title ?? undefined,
            password: hasPassword || undefined,
            expiresAt: expiresAt ?? undefined,
            uses: usesLeft ?? undefined,
          }),
        },
      }),
    },
    example: {
      body: { fileId: EXAMPLE_ID, password: "gull & tide", expiresIn: 604800, uses: 10 },
      sdk: `const link = await holdall.links.create({
  fileId: file.id,
  password: "gull & tide",
  expiresIn: 604_800,
  uses: 10,
});`,
    },
  }),
  changeLink: defineOperation({
    id: "changeLink",
    method: "PUT",
    path: "/api/links",
    tag: "Links",
    summary: "Change a link",
    description:
      "Fields that are left out stay; `null` removes a limit. A new password ends all visits.",
    access: "caller",
    permission: { actions: ["share"], places: ["links"] },
    budget: "api",
    body: { json: changeLinkBody },
    response: { data: z.object({ link: linkObject }) },
    errors: {
      400: "An option is invalid or does not fit the kind of link.",
      404: UNKNOWN,
      409: REVOKED,
    },
    codes: ["invalid_lifetime"],
    audit: {
      before: ({ id, password, expiresAt, expiresIn, uses, title }) => ({
        subject: { kind: "link", id },
        detail: givenFields({
          title,
          password: password === undefined ? undefined : password !== null,
          expires: expiresAt !== null && (expiresAt ?? expiresIn) !== undefined ? true : undefined,
          uses,
        }),
      }),
      after: ({ link }) => ({ subject: subjectOf(link) }),
    },
    example: {
      body: { id: EXAMPLE_ID, uses: 5 },
      sdk: `await holdall.links.change(link.id, { uses: 5 });`,
    },
  }),
  revokeLink: defineOperation({
    id: "revokeLink",
    method: "DELETE",
    path: "/api/links",
    tag: "Links",
    summary: "Revoke a link",
    description:
      "The link stops working immediately, for visitors who use it too. Unfinished uploads of its visitors are removed; files that they have sent stay.",
    access: "caller",
    permission: { actions: ["share"], places: ["links"] },
    budget: "api",
    body: { json: revokeLinkBody },
    response: { data: deletedIds.extend({ link: linkObject }) },
    errors: { 404: UNKNOWN, 409: REVOKED },
    audit: {
      before: ({ id }) => ({ subject: { kind: "link", id } }),
      after: ({ link }) => ({ subject: subjectOf(link) }),
    },
    example: {
      body: { id: EXAMPLE_ID },
      sdk: `await holdall.links.revoke(link.id);`,
    },
  }),
};
