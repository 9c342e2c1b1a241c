import type { Page } from "playwright-core";
import type { PageState } from "./page-state.ts";
import { LINK_PASSWORD, type SeededLinks } from "./seed-links.ts";
import { press, type Step, sequence } from "./steps.ts";

/** Chooses files on the page of a link for sending files. */
export const chooseFiles =
  (count: number, bytes = 400_000): Step =>
  (page) =>
    page.getByLabel("Choose files").setInputFiles(
      Array.from({ length: count }, (_, at) => ({
        name: `harbour-${at + 1}.jpg`,
        mimeType: "image/jpeg",
        buffer: Buffer.alloc(bytes, at),
      })),
    );

/** Makes the requests with files hang. */
const hangFiles = (page: Page) => page.route("**/api/batches/*/files", () => {});

const enterPassword =
  (password: string): Step =>
  async (page) => {
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Open" }).click();
  };

/** Every page that visitors of links see. */
export const linkPageStates = (links: SeededLinks): readonly PageState[] =>
  states(links).map((state) => ({ ...state, anonymous: true }));

const states = (links: SeededLinks): readonly PageState[] => [
  { name: "link-picture", path: links.picture },
  { name: "link-video", path: links.video },
  { name: "link-audio", path: links.audio },
  { name: "link-pdf", path: links.pdf },
  { name: "link-text", path: links.text },
  { name: "link-download-only", path: links.download },
  { name: "link-photos", path: links.photos },
  {
    name: "link-photo",
    path: links.photos,
    prepare: sequence(
      (page) => page.getByRole("img", { name: "IMG_1004.svg" }).click(),
      (page) => page.getByRole("heading", { name: "IMG_1004.svg" }).waitFor(),
    ),
  },
  { name: "link-photos-list", path: `${links.photos}?view=list` },
  { name: "link-long-names", path: links.mixed },
  { name: "link-long-names-gallery", path: `${links.mixed}?view=grid` },
  { name: "link-empty-folder", path: links.empty },
  { name: "link-not-found", path: `${links.mixed}/gone.txt` },
  { name: "link-ended", path: links.ended },
  { name: "link-password", path: links.protected },
  {
    name: "link-password-wrong",
    path: links.protected,
    prepare: sequence(enterPassword(`not ${LINK_PASSWORD}`), (page) =>
      page.getByRole("alert").waitFor(),
    ),
  },
  { name: "link-drop", path: links.drop },
  {
    name: "link-drop-chosen",
    path: links.dropLimits,
    prepare: sequence(chooseFiles(4, 2_000), (page) => page.getByText("at most 3").waitFor()),
  },
  {
    name: "link-drop-running",
    path: links.drop,
    before: hangFiles,
    prepare: sequence(chooseFiles(12), press(/^Send/), (page) =>
      page.getByText("0 of 12 files").waitFor(),
    ),
  },
  {
    name: "link-drop-done",
    path: links.drop,
    prepare: sequence(chooseFiles(12), press(/^Send/), (page) =>
      page.getByRole("heading", { name: "Thank you" }).waitFor(),
    ),
  },
];
