import type { Page } from "playwright-core";
import type { PageState } from "./page-state.ts";
import {
  chooseForSelection,
  openPreview,
  PREVIEW,
  paste,
  press,
  type Step,
  select,
  sequence,
} from "./steps.ts";

/** Makes uploads hang. */
const hangUploads = (page: Page) =>
  page.route("**/api/files", (route) =>
    route.request().method() === "POST" ? undefined : route.continue(),
  );

const operations = (page: Page) => page.getByRole("region", { name: "Operations" });

/** Copies hang. Deletions end, as if the file were in the trash, once the panel shows them; moves fail then. */
async function prolongChanges(page: Page): Promise<void> {
  await page.route("**/api/files/copy", () => undefined);
  await page.route("**/api/files", async (route) => {
    const method = route.request().method();
    if (method === "GET") return route.continue();
    await operations(page)
      .getByText(method === "DELETE" ? /^Moving .* to the trash$/ : /^Making/)
      .waitFor();
    const { ids } = route.request().postDataJSON();
    const data = { deleted: ids, failed: [], undoId: "undo" };
    const error = { message: "The file storage does not respond." };
    if (method === "DELETE") await route.fulfill({ json: { data, error: null } });
    else await route.fulfill({ status: 503, json: { data: null, error } });
  });
}

const copyAll: Step = sequence(
  (page) => page.getByRole("checkbox", { name: "Select all" }).click(),
  chooseForSelection("Copy to…"),
  (page) => page.getByRole("dialog").getByRole("treeitem", { name: "inbox", exact: true }).click(),
  press("Copy here"),
  (page) =>
    operations(page)
      .getByText(/^Copying/)
      .waitFor(),
);

const pastePhotos = paste(
  Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`harbour-${at + 1}.jpg`, 400_000])),
);

const fillWrongCredentials = async (page: Page) => {
  await page.getByLabel("Email address").fill("eve@example.com");
  await page.getByLabel("Password", { exact: true }).fill("not the password");
};

/** Spreads timestamps over the last months, and hides the names that only exist for testing. */
const spreadTimestamps = (page: Page) =>
  page.route("**/api/folders?*", async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    json.data.files = json.data.files.filter(({ name }: { name: string }) => !name.startsWith("<"));
    for (const [index, each] of [...json.data.folders, ...json.data.files].entries()) {
      const days = (index * 37) % 200;
      const timestamp = new Date(Date.now() - days * 86_400_000 - index * 977_000);
      each.updatedAt = timestamp.toISOString().slice(0, 19).replace("T", " ");
    }
    await route.fulfill({ response, json });
  });

/** States for screenshots only: other tests check them with axe, or they cannot be left cleanly. */
export const SCREENSHOT_STATES: readonly PageState[] = [
  {
    name: "preview-video",
    // The last files first: on a phone, the list shows ten.
    path: "/files?sort=name&dir=desc",
    selector: PREVIEW,
    prepare: openPreview("tour.webm"),
  },
  {
    name: "uploads-running",
    path: "/files/inbox",
    before: hangUploads,
    prepare: sequence(pastePhotos, (page) => page.getByText("harbour-1.jpg").first().waitFor()),
  },
  {
    name: "operations-running",
    path: "/files/press",
    before: prolongChanges,
    prepare: sequence(
      select("note-00002.txt"),
      press(/^Delete$/),
      (page) => operations(page).getByText("Moved “note-00002.txt” to the trash.").waitFor(),
      select("note-00003.txt"),
      chooseForSelection("Visibility…"),
      press(/^Make private$/),
      (page) => operations(page).getByText("The file storage does not respond.").waitFor(),
      copyAll,
    ),
  },
  {
    name: "sign-in-wrong",
    path: "/sign-in",
    anonymous: true,
    prepare: sequence(fillWrongCredentials, press("Sign in"), (page) =>
      page.getByRole("alert").first().waitFor(),
    ),
  },
  { name: "durability", path: "/docs/durability" },
  { name: "scaling", path: "/scaling" },
];

/** The pictures of the README. */
export const README_STATES = {
  light: { name: "files", path: "/files", before: spreadTimestamps },
  dark: { name: "photos", path: "/files/brand/photos?view=grid", before: spreadTimestamps },
} satisfies Record<"light" | "dark", PageState>;
