import { picture } from "./picture.ts";
import type { Seed } from "./seed.ts";

/** Content as somebody might really have it, with the names that are hard to show among it. */
export async function seedDemo(seed: Seed): Promise<void> {
  const { holdall } = seed;
  for (const folder of [
    "brand/logos/archive/2024/print/final",
    "brand/photos",
    "customers/aurora",
    "customers/blue harbour",
    "customers/ملفات العملاء",
    "invoices/2025",
    "invoices/2026",
    "press",
    "empty",
  ]) {
    await holdall.folders.create(folder);
  }
  await seed.file("annual-report-2025.pdf", new Uint8Array(2_480_000));
  await seed.file("brand-guidelines.pdf", new Uint8Array(840_000));
  await seed.file("contract-aurora-signed.docx", new Uint8Array(48_200), "private");
  await seed.file("onboarding.mp4", new Uint8Array(9_400_000));
  await seed.file("jingle.mp3", new Uint8Array(1_120_000));
  await seed.file("backup-2026-11-20.tar.gz", new Uint8Array(5_310_000), "private");
  await seed.file("config.production.json", '{"debug":false}', "private");
  await seed.file("README.md", "# Files\n\nHello.\n");
  await seed.file("prices.csv", "a,b\n1,2\n");
  await seed.file("תקציב שנתי 2026 – טיוטה.xlsx", new Uint8Array(23_000), "private");
  await seed.file(`${"minutes of the meeting about the meeting ".repeat(6)}v7.txt`.slice(-250));
  await seed.file('<img src=x onerror="alert(1)">.txt');
  for (const [index, name] of [
    "harbour-dawn",
    "harbour-dusk",
    "lighthouse",
    "north-pier",
    "regatta",
    "team-portrait",
    "workshop",
    "yard",
  ].entries()) {
    const visibility = index % 3 === 2 ? "private" : "public";
    await seed.file(`brand/photos/${name}.svg`, picture(index), visibility);
  }
  await seed.file("cover.svg", picture(3));
  await seed.file("team.svg", picture(6));
  // Three pages of a list.
  await seed.many("press", 1_300);
}
