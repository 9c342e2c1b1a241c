import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useEffect, useState } from "react";
import { type Entry, entryOfFile, entryOfFolder, nameOf } from "../../pages/files/data/entry.ts";
import { KindIcon } from "../../pages/files/kind-icon.tsx";
import { parentKey } from "../../text/key-parts.ts";
import { holdall } from "../connection/client.ts";
import { filePath, folderPath } from "../navigation/file-paths.ts";
import { navigateTo } from "../navigation/location.ts";
import type { Command, CommandGroup } from "./command.ts";
import { ranked } from "./rank.ts";

const DEBOUNCE_MS = 120;
const MAX_FOUND = 8;

/** The files, folders and API keys that answer what was typed. The commands do not wait for them. */
export function useFound(typed: string): {
  readonly groups: readonly CommandGroup[];
  readonly isSearching: boolean;
  readonly error: Error | null;
} {
  const wanted = typed.trim();
  const [asked, setAsked] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const search = useQuery({
    queryKey: ["palette", asked],
    queryFn: ({ signal }) => holdall.search(asked, { limit: MAX_FOUND, signal }),
    enabled: asked !== "",
    placeholderData: (previous) => previous,
  });
  const keys = useQuery({
    queryKey: ["keys"],
    queryFn: ({ signal }) => holdall.keys.list({ signal }),
    enabled: asked !== "",
  });
  if (wanted === "") return { groups: [], isSearching: false, error: null };
  const { folders = [], files = [] } = search.data ?? {};
  const entries = [...folders.map(entryOfFolder), ...files.map(entryOfFile)];
  const found = ranked(wanted, (keys.data ?? []).map(keyCommand)).slice(0, MAX_FOUND);
  return {
    groups: [
      { title: "Files and folders", commands: entries.map(entryCommand) },
      { title: "API keys", commands: found },
    ],
    isSearching: asked !== wanted || search.isFetching,
    error: search.error,
  };
}

const entryCommand = (entry: Entry): Command => {
  const key = entry.kind === "folder" ? entry.folder.key : entry.file.key;
  return {
    id: entry.id,
    title: nameOf(entry),
    note: parentKey(key) || "Files",
    icon: <KindIcon entry={entry} />,
    run: () => navigateTo(entry.kind === "folder" ? folderPath(key) : filePath(entry.file)),
  };
};

const keyCommand = ({ id, name }: { readonly id: string; readonly name: string }): Command => ({
  id: `key ${id}`,
  title: name,
  note: "API key",
  icon: <KeyRound aria-hidden className="size-4 flex-none text-muted" />,
  run: () => navigateTo("/keys"),
});
