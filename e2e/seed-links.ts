import type { NewLink } from "../sdk/src/holdall.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { landscapeSvg } from "./landscape-svg.ts";
import { createPdf, createWav, recordVideo } from "./sample-media.ts";

export const LINK_PASSWORD = "harbour lights";

const NAMES = [
  ...["picture", "video", "audio", "pdf", "text", "download", "photos", "mixed", "empty"],
  ...["protected", "ended", "drop", "dropLimits"],
] as const;

/** The paths of links, such as `/s/…`. */
export type SeededLinks = Readonly<Record<(typeof NAMES)[number], string>>;

const TEXT = `# Notes for the press

The festival opens on Friday at 18:00 on the north pier. Photos may be used with the credit "Blue Harbour".

${"Ships leave every hour; tickets are sold on board.\n".repeat(2_000)}`;

/** Uploads what links share, below `shared/`, and makes a link of each kind. */
export async function seedLinks({ seed, anonymous }: BrowserFixture): Promise<SeededLinks> {
  const { holdall } = seed;
  const { page, close } = await anonymous();
  await page.goto("/sign-in");
  await seed.file("shared/regatta.webm", await recordVideo(page));
  await close();
  await seed.file("shared/harbour-dawn.svg", landscapeSvg(0), "private");
  await seed.file("shared/horn.wav", createWav(3));
  await seed.file("shared/annual-report-2025.pdf", createPdf(12, 2_480_000));
  await seed.file("shared/press-notes.md", TEXT);
  await seedPhotos({ seed });
  await seed.file(`shared/mixed/${"minutes of the meeting ".repeat(9)}v7.txt`);
  await seed.file(`shared/mixed/${"supercalifragilistic_".repeat(8)}.tar.gz`, new Uint8Array(9));
  await seed.file("shared/mixed/תקציב שנתי 2026 – טיוטה.xlsx", new Uint8Array(23_000));
  await seed.file('shared/mixed/<img src=x onerror="alert(1)">.txt');
  await seed.file("shared/mixed/empty.bin", "");
  await seed.file("shared/mixed/cover.svg", landscapeSvg(3));
  await seed.file(`shared/mixed/${"a very long name of a folder ".repeat(5)}/plan.txt`);
  for (const folder of ["shared/empty", "shared/inbox"]) await holdall.folders.create(folder);

  const file = async (name: string, options: Partial<NewLink> = {}): Promise<string> => {
    const { id } = await holdall.files.getByKey(`shared/${name}`);
    return create({ fileId: id, ...options });
  };
  const folder = async (name: string, options: Partial<NewLink> = {}): Promise<string> => {
    const { folder: found } = await holdall.folders.browse({ key: `shared/${name}` });
    return create({ folderId: found.id, ...options });
  };
  const create = async (link: NewLink): Promise<string> =>
    `/${(await holdall.links.create(link)).url}`;

  const ended = await file("press-notes.md", { uses: 1 });
  await fetch(holdall.url({ url: ended.slice(1) }));
  return {
    picture: await file("harbour-dawn.svg"),
    video: await file("regatta.webm"),
    audio: await file("horn.wav"),
    pdf: await file("annual-report-2025.pdf", { title: "Annual report of the harbour" }),
    text: await file("press-notes.md", { expiresIn: 86_400 }),
    download: await file("press-notes.md", { downloadOnly: true }),
    photos: await folder("photos", { title: "Harbour festival 2026" }),
    mixed: await folder("mixed", { title: "Everything about the festival" }),
    empty: await folder("empty"),
    protected: await folder("photos", { title: "Photos for the press", password: LINK_PASSWORD }),
    ended,
    drop: await folder("inbox", { kind: "drop", title: "Your photos of the harbour festival" }),
    dropLimits: await folder("inbox", { kind: "drop", maxFiles: 3, maxBytes: 50_000_000 }),
  };
}

/** More than three pages of a gallery. */
export const PHOTOS = 300;

async function seedPhotos({ seed: { holdall } }: Pick<BrowserFixture, "seed">): Promise<void> {
  for (let from = 0; from < PHOTOS; from += 100) {
    const photos = Array.from({ length: 100 }, (_, at) => ({
      content: new Blob([landscapeSvg(from + at)]),
      name: `IMG_${1001 + from + at}.svg`,
    }));
    await holdall.files.uploadMany(photos, { folder: "shared/photos" });
  }
}
