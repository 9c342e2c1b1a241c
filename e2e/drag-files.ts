import type { Page } from "playwright-core";

/** Drags local files and folders over the page, as from a file manager. */
export async function dragFiles(page: Page, paths: readonly string[], at = { x: 700, y: 420 }) {
  const session = await page.context().newCDPSession(page);
  const send = (type: "dragEnter" | "dragOver" | "drop") =>
    session.send("Input.dispatchDragEvent", {
      type,
      ...at,
      data: { items: [], files: [...paths], dragOperationsMask: 1 },
    });
  await send("dragEnter");
  await send("dragOver");
  return {
    async drop() {
      await send("drop");
      await session.detach();
    },
  };
}

export async function dropFiles(page: Page, paths: readonly string[]): Promise<void> {
  await (await dragFiles(page, paths)).drop();
}
