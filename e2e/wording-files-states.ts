import {
  choose,
  openMenu,
  openPreview,
  paste,
  press,
  type Step,
  select,
  sequence,
} from "./steps.ts";
import { disconnect, refuse, type WordingState } from "./wording-state.ts";

const treeItem =
  (name: string): Step =>
  (page) =>
    page.getByRole("dialog").getByRole("treeitem", { name, exact: true }).click();

export const FILES: readonly WordingState[] = [
  {
    name: "a folder",
    path: "/files/Inbox",
    texts: ["2 files, 8 B", "Sort descending"],
  },
  {
    name: "a new folder",
    path: "/files/Inbox",
    prepare: press("New folder"),
    texts: ["Use slashes to create nested folders, such as photos/2026."],
  },
  {
    name: "the destination of a move",
    path: "/files/Inbox",
    prepare: sequence(select("report-1.txt"), press("Move to…"), treeItem("Inbox")),
    texts: [
      "Choose a destination. Moving changes the URLs, and existing links will stop working.",
      "It's already here.",
    ],
  },
  {
    name: "a folder as its own destination",
    path: "/files",
    prepare: sequence(select("Inbox"), press("Move to…"), treeItem("Inbox")),
    texts: ["You can't move a folder into itself."],
  },
  {
    name: "the deletion of a file without a trash",
    path: "/files/Inbox",
    prepare: sequence(select("report-1.txt"), press(/^Delete$/)),
    texts: ["Delete permanently", "Its URL and all links to it will stop working."],
  },
  {
    name: "the deletion of a folder without a trash",
    path: "/files",
    prepare: sequence(select("Inbox"), press(/^Delete$/)),
    texts: ["Everything in this folder will be deleted too."],
  },
  {
    name: "a link to a public file",
    path: "/files/Inbox",
    prepare: sequence(openMenu("report-1.txt"), choose("Share…")),
    texts: ["Anyone with it can open the file. You can also create a link that expires"],
  },
  {
    name: "a signed URL",
    path: "/files/Inbox",
    prepare: sequence(openMenu("report-1.txt"), choose("Share…"), (page) =>
      page.getByText("Signed URL").click(),
    ),
    texts: ["Expires in", "It cannot be revoked."],
  },
  {
    name: "Markdown with an image from elsewhere",
    path: "/files/Photos",
    prepare: openPreview("notes.md"),
    texts: ["External image blocked: remote"],
  },
  {
    name: "an image",
    path: "/files/Photos",
    prepare: openPreview("dot.svg"),
    texts: ["Zoom in", "Zoom out"],
  },
];

export const UPLOADS: readonly WordingState[] = [
  {
    name: "an upload of files that exist",
    path: "/files/Inbox",
    prepare: paste({ "report-1.txt": "1", "report-2.txt": "2" }),
    texts: ["2 files already exist", "Already exists", "Apply to all 2 and the rest"],
  },
  {
    name: "an upload without a connection",
    path: "/files/Inbox",
    prepare: sequence(disconnect("**/api/**"), paste({ "new.txt": "new" })),
    texts: [
      "Can't reach the server. Uploading will resume automatically.",
      "Can't reach the server. Retrying… what you see may be out of date.",
    ],
  },
  {
    name: "an upload that must wait",
    path: "/files/Inbox",
    prepare: sequence(
      refuse("**/api/files", 429, { "Retry-After": "60" }),
      paste({ "new.txt": "new" }),
    ),
    texts: [/Too many requests right now\. Continuing in \d+ s\./],
  },
  {
    name: "an upload after the session has ended",
    path: "/files/Inbox",
    prepare: sequence(refuse("**/api/files", 401), paste({ "new.txt": "new" })),
    texts: ["You've been signed out. Sign in to continue uploading."],
  },
];
