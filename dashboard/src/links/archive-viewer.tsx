// The script that lists a zip on the page of a link (server/http/links/pages/file-page.ts), with the table of the
// dashboard's preview. What the page shows without a script stays until the list has been read.
import { createRoot } from "react-dom/client";
import { FocusArea } from "../components/focus-area.tsx";
import { ContentsTable } from "../pages/files/preview/zip/contents-table.tsx";
import { type ReadBytes, readZip, type ZipContents } from "../pages/files/preview/zip/read-zip.ts";

/** Smaller than the limits of the dashboard, because visitors have phones. */
const LIMITS = { entries: 1_000, listBytes: 4 * 1024 ** 2 };

/** Lists the zip that the attributes of `place` name, in it. Resolves to whether it can be listed. */
export async function mount(place: HTMLElement): Promise<boolean> {
  const { url = "", name = "", size = "" } = place.dataset;
  let contents: ZipContents;
  try {
    contents = await readZip(Number(size), rangesOf(new URL(url, location.href)), LIMITS);
  } catch (error) {
    if (error instanceof NotLoaded) throw error;
    // The archive is damaged, or has too many files.
    return false;
  }
  const host = document.createElement("div");
  const styles = dashboardStyles();
  const root = document.createElement("div");
  host.attachShadow({ mode: "open" }).append(styles.link, root);
  // The list is hidden until it is styled. Until then, the words that it replaces stay.
  host.hidden = true;
  place.append(host);
  await styles.loaded;
  createRoot(root).render(
    <FocusArea label={`Files in ${name}`} className="max-h-[75vh] overflow-auto p-4 md:px-6">
      <div className="flex flex-col gap-3">
        <ContentsTable contents={contents} />
      </div>
    </FocusArea>,
  );
  place.dataset.mounted = "";
  place.className = "excerpt";
  host.hidden = false;
  place.replaceChildren(host);
  return true;
}

/** The file could not be fetched, which says nothing about its content. */
class NotLoaded extends Error {}

const rangesOf =
  (url: URL): ReadBytes =>
  async (start, length) => {
    try {
      const headers = { Range: `bytes=${start}-${start + length - 1}` };
      const response = await fetch(url, { headers });
      // 200 has the whole file, which may be very large.
      if (response.status !== 206) throw new NotLoaded(`Status ${response.status}`);
      return new Uint8Array(await response.arrayBuffer());
    } catch (cause) {
      throw new NotLoaded("The file could not be fetched.", { cause });
    }
  };

/** The dashboard's style sheet, for a shadow tree: the page has classes of the same names. */
function dashboardStyles() {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = new URL(`./${process.env.THEME_STYLES}`, import.meta.url).href;
  const loaded = new Promise<void>((resolve, reject) => {
    link.addEventListener("load", () => {
      registerProperties(link.sheet);
      resolve();
    });
    link.addEventListener("error", () => reject(new NotLoaded("The styles could not be loaded.")));
  });
  return { link, loaded };
}

/** Browsers ignore `@property` in the styles of a shadow tree. */
function registerProperties(sheet: CSSStyleSheet | null): void {
  for (const rule of sheet?.cssRules ?? []) {
    if (!(rule instanceof CSSPropertyRule)) continue;
    const { name, syntax, inherits, initialValue } = rule;
    try {
      CSS.registerProperty({
        name,
        syntax,
        inherits,
        ...(initialValue !== null && { initialValue }),
      });
    } catch {
      // The property was registered for an archive that was shown before.
    }
  }
}
