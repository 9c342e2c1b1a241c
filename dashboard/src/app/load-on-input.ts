import { loadOperations } from "../operations/load-operations.ts";

/** Chunks that the first clicks and keys may need. If one fails to load, the part that needs it loads it again and reports the error. */
const SCRIPTS = [
  loadOperations,
  // It must be there when the server is not.
  () => import("../components/load-error.tsx"),
  () => import("../pages/files/actions/entry-menu-list.tsx"),
  () => import("../pages/files/selection-bar.tsx"),
  () => import("../pages/files/grid/entry-tile.tsx"),
  () => import("../pages/files/grid/thumbnail.tsx"),
  () => import("./palette/palette.tsx"),
  () => import("./session/account-menu-list.tsx"),
];

/** Loads scripts with the first click or key, so that they are there when they are needed. */
export function loadOnInput(): () => void {
  const stop = () => {
    window.removeEventListener("pointerdown", load, true);
    window.removeEventListener("keydown", load, true);
  };
  function load(): void {
    stop();
    for (const script of SCRIPTS) script().catch(() => {});
  }
  window.addEventListener("pointerdown", load, true);
  window.addEventListener("keydown", load, true);
  return stop;
}
