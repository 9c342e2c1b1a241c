import type { Visit } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";

/** Uploads these files to a folder and opens its list. */
export async function showFolder(
  fixture: BrowserFixture,
  folder: string,
  files: readonly string[],
  expectedStatuses: readonly number[] = [],
): Promise<Visit> {
  for (const name of files) await fixture.seed.file(`${folder}/${name}`);
  const visit = await fixture.signedIn({ reducedMotion: true, expectedStatuses });
  await visit.page.goto(`/files/${folder}`);
  await visit.page.getByRole("grid").waitFor();
  return visit;
}
