import { Menu } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { Corner } from "../components/corner.tsx";
import { Drawer } from "../components/dialogs/drawer.tsx";
import { IconButton } from "../components/icon-button.tsx";
import { Logo } from "../components/logo.tsx";
import { useLoadedOperations } from "../operations/load-operations.ts";
import { DropOverlay } from "../uploads/choosing/drop-overlay.tsx";
import { usePasteUpload } from "../uploads/choosing/use-paste-upload.ts";
import { restoreUploads, useUploadsStarted } from "../uploads/start-upload.ts";
import { ConnectionBanner } from "./connection/connection-banner.tsx";
import { ThrottlingBanner } from "./connection/throttling-banner.tsx";
import { lazyComponent } from "./lazy-component.tsx";
import { loadOnInput } from "./load-on-input.ts";
import { Link } from "./navigation/link.tsx";
import { usePath } from "./navigation/location.ts";
import { navigationStore, openNavigation } from "./navigation/navigation-store.ts";
import { PaletteHost } from "./palette/palette-host.tsx";
import { useSession } from "./session/session.ts";
import { ShortcutHelp } from "./shortcuts/shortcut-help.tsx";
import { Sidebar } from "./sidebar.tsx";
import { useStore } from "./store.ts";
import { useMediaQuery } from "./use-media-query.ts";

const UploadPanel = lazyComponent(
  async () => (await import("../uploads/panel/upload-panel.tsx")).UploadPanel,
);

/** The sidebar shows icons only, so that the page has more room. */
const TABLET = "(width >= 48rem) and (width < 64rem)";

export interface ShellProps {
  /** The current route's path, highlighted in the navigation. */
  readonly current: string | undefined;
  readonly children: ReactNode;
}

/** The frame around every page for signed-in users. */
export function Shell({ current, children }: ShellProps) {
  const isNarrow = useMediaQuery(TABLET);
  const path = usePath();
  const uploads = useUploadsStarted();
  useSession();
  usePasteUpload();
  const operations = useLoadedOperations();
  useEffect(() => void restoreUploads(), []);
  useEffect(loadOnInput, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the drawer.
  useEffect(() => navigationStore.set(false), [path]);

  return (
    <div className="flex h-dvh flex-col md:flex-row">
      <button
        type="button"
        // A link would add a hash to the URL, and take the focus on every "back".
        onClick={() => document.getElementById("content")?.focus()}
        className="absolute -top-20 left-3 z-50 rounded-md bg-surface px-4 py-2 shadow-pop focus:top-3"
      >
        Skip to content
      </button>
      {/* The header of the files has the button. */}
      {current !== "/files" && (
        <header className="flex h-13 flex-none items-center gap-1 border-line border-b bg-side px-2 md:hidden">
          <IconButton label="Open navigation" Icon={Menu} onClick={openNavigation} />
          <Link to="/files" className="flex items-center gap-2 rounded-md px-1 font-semibold">
            <Logo className="size-6" /> Holdall
          </Link>
        </header>
      )}
      <header
        className={`hidden flex-none border-line border-r bg-side md:block ${isNarrow ? "w-19" : "w-58"}`}
      >
        <Sidebar current={current} isNarrow={isNarrow} />
      </header>
      <Drawer
        label="Navigation"
        open={useStore(navigationStore)}
        onClose={() => navigationStore.set(false)}
      >
        <Sidebar current={current} />
      </Drawer>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <ConnectionBanner />
        <ThrottlingBanner />
        {children}
      </div>
      <DropOverlay />
      <PaletteHost />
      <ShortcutHelp />
      <Corner>
        {operations && <operations.OperationsPanel />}
        {uploads && <UploadPanel />}
      </Corner>
      {operations && <operations.ConflictDialog />}
    </div>
  );
}
