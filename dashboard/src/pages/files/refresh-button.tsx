import { useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useEffect } from "react";
import { shortcutOf } from "../../app/shortcuts/shortcuts.ts";
import { IconButton } from "../../components/icon-button.tsx";
import { showErrorToast } from "../../components/toast-store.ts";
import { refreshFolders } from "./data/patch-folders.ts";

/** Reads the lists again; the key R does the same. */
export function RefreshButton() {
  const client = useQueryClient();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target instanceof Element ? event.target : null;
      const isTyping = target?.closest("input, textarea, select, dialog, [role=menu]") != null;
      // Held down, the key would ask again and again.
      if (shortcutOf("files", event) !== "refresh" || isTyping || event.repeat) return;
      refreshFolders(client).catch(showErrorToast);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [client]);
  return (
    <IconButton
      label="Refresh"
      Icon={RotateCw}
      className="max-sm:hidden"
      onClick={() => void refreshFolders(client).catch(showErrorToast)}
    />
  );
}
