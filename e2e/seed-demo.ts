import { landscapeSvg } from "./landscape-svg.ts";
import { createPdf, createWav } from "./sample-media.ts";
import type { Seed } from "./seed.ts";

const README = `# Harbour festival

Material for the **press** and our partners. Please credit *Blue Harbour*.

| folder      | content                   |
| ----------- | ------------------------- |
| brand       | logo, colours, photos     |
| press       | notes, one per day        |
| invoices    | by year                   |

1. Look at \`brand/photos\` first.
2. Ask before you change a colour.

- [x] pictures of the pier
- [ ] the film, with captions

> Private files stay private: links to them expire.
`;

const CONFIG = `${JSON.stringify(
  {
    site: { title: "Harbour festival", languages: ["en", "de", "ar"], debug: false },
    uploads: { folder: "inbox", largest: 25_000_000, visibility: "private" },
    mail: { from: "press@example.com", retries: 3, timeout: null },
  },
  null,
  2,
)}\n`;

const PRICES = `ticket,price,children
Day,18.00,9.00
Weekend,32.00,16.00
Season,75.00,30.00
`;

/** Uploads realistic demo content, including names that are hard to display. */
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
    "inbox",
  ]) {
    await holdall.folders.create(folder);
  }
  await seed.file("annual-report-2025.pdf", createPdf(24, 2_480_000));
  await seed.file("brand-guidelines.pdf", createPdf(6, 840_000));
  await seed.file("contract-aurora-signed.docx", new Uint8Array(48_200), "private");
  await seed.file("onboarding.mp4", new Uint8Array(9_400_000));
  await seed.file("jingle.wav", createWav(120));
  await seed.file("backup-2026-11-20.tar.gz", new Uint8Array(5_310_000), "private");
  await seed.file("config.production.json", CONFIG, "private");
  await seed.file("README.md", README);
  await seed.file("prices.csv", PRICES);
  await seed.file("inbox/README.md", README);
  await seed.file("תקציב שנתי 2026 – טיוטה.xlsx", new Uint8Array(23_000), "private");
  await seed.file(`${"minutes of the meeting about the meeting ".repeat(5)}v7.txt`);
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
    await seed.file(`brand/photos/${name}.svg`, landscapeSvg(index), visibility);
  }
  await seed.file("cover.svg", landscapeSvg(3));
  await seed.file("team.svg", landscapeSvg(6));
  // Enough for three pages of a list.
  await seed.many("press", 1_300);
}
