// biome-ignore-all lint/a11y/useSemanticElements: a combobox with groups and icons is no native element.
// biome-ignore-all lint/a11y/useFocusableInteractive: the field keeps the focus and names the active option.
import { Search } from "lucide-react";
import { type KeyboardEvent, useId, useLayoutEffect, useMemo, useRef, useState } from "react";
import { formatCount } from "../../text/format-count.ts";
import { useSignOut } from "../session/session.ts";
import type { Command } from "./command.ts";
import { commandGroups } from "./commands.tsx";
import { typedEarly } from "./palette-store.ts";
import { ranked } from "./rank.ts";
import { useFound } from "./use-found.tsx";

/** At most so many of a group, where something was typed. */
const MAX_OF_GROUP = 8;
/** Shown before anything is typed. */
const FIRST_GROUPS = /^(?:“|Actions$|Pages$)/;

/** Finds commands, pages, files, folders, API keys, settings and documents by what is typed, and runs the chosen one. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [typed, setTyped] = useState(typedEarly.text);
  const [active, setActive] = useState(0);
  const signOut = useSignOut();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the commands are those for the selection at the moment the palette opens.
  const all = useMemo(() => commandGroups(() => signOut.mutate()), []);
  const found = useFound(typed);
  const isEmpty = typed.trim() === "";
  const own = isEmpty
    ? all.filter(({ title }) => FIRST_GROUPS.test(title))
    : all.map(({ title, commands }) => ({
        title,
        commands: ranked(typed, commands).slice(0, MAX_OF_GROUP),
      }));
  const groups = [...own, ...found.groups].filter(({ commands }) => commands.length > 0);
  const commands = groups.flatMap((group) => group.commands);
  const at = Math.min(active, commands.length - 1);
  const id = useId();
  const idOf = (command: Command) => `${id}${commands.indexOf(command)}`;

  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  const current = commands[at];
  const currentId = current && idOf(current);
  useLayoutEffect(() => {
    if (currentId !== undefined) {
      document.getElementById(currentId)?.scrollIntoView({ block: "nearest" });
    }
  }, [currentId]);

  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    dialog.current?.close();
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    // Keys of an input method are its own.
    if (event.nativeEvent.isComposing) return;
    const to = nextOf(event, at, commands.length);
    if (to !== undefined) setActive(to);
    else if (event.key === "Enter") run(current);
    else return;
    event.preventDefault();
  };

  return (
    <dialog
      ref={dialog}
      data-palette
      aria-label="Go to or run"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        if (event.target === dialog.current) onClose();
      }}
      onKeyDown={onKeyDown}
      className="mx-auto mt-[min(12dvh,6rem)] mb-auto w-[calc(100vw-2rem)] max-w-2xl overflow-visible rounded-lg bg-surface p-0 text-ink shadow-dialog open:animate-rise backdrop:animate-fade short:mt-2"
    >
      <div className="flex max-h-[min(70dvh,32rem)] flex-col">
        <div className="flex items-center gap-3 border-line border-b px-4">
          <Search aria-hidden className="size-4 flex-none text-muted" />
          <input
            type="text"
            role="combobox"
            aria-label="Search commands, files, keys, settings and documents"
            aria-expanded={commands.length > 0}
            aria-controls={`${id}list`}
            aria-autocomplete="list"
            aria-activedescendant={currentId}
            placeholder="Type a command, a file name, a setting…"
            autoComplete="off"
            spellCheck={false}
            dir="auto"
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              setActive(0);
            }}
            className="h-12 min-w-0 flex-1 bg-transparent text-lg outline-none placeholder:text-ellipsis placeholder:text-muted"
          />
        </div>
        <div
          id={`${id}list`}
          role="listbox"
          aria-label="Results"
          className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-2 empty:hidden"
        >
          {groups.map((group) => (
            <div key={group.title} role="group" aria-label={group.title} className="pb-1">
              <p aria-hidden className="truncate px-2.5 pt-2 pb-1 text-muted text-xs">
                <bdi>{group.title}</bdi>
              </p>
              {group.commands.map((command) => (
                <Option
                  key={command.id}
                  id={idOf(command)}
                  command={command}
                  isActive={command === current}
                  onPoint={() => setActive(commands.indexOf(command))}
                  onRun={() => run(command)}
                />
              ))}
            </div>
          ))}
        </div>
        <p
          role="status"
          className={commands.length > 0 ? "sr-only" : "px-4 py-6 text-center text-muted text-sm"}
        >
          {found.error
            ? `Couldn't search the files: ${found.error.message}`
            : commands.length > 0
              ? formatCount(commands.length, "result")
              : found.isSearching
                ? "Searching…"
                : `Nothing found for “${typed.trim()}”.`}
        </p>
      </div>
    </dialog>
  );
}

interface OptionProps {
  readonly id: string;
  readonly command: Command;
  readonly isActive: boolean;
  readonly onPoint: () => void;
  readonly onRun: () => void;
}

function Option({ id, command, isActive, onPoint, onRun }: OptionProps) {
  const { title, note, icon, shortcut } = command;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys.
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      onPointerMove={() => {
        if (!isActive) onPoint();
      }}
      onClick={onRun}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 aria-selected:bg-press pointer-coarse:min-h-11"
    >
      {icon}
      <bdi className="min-w-0 flex-initial truncate" title={title}>
        {title}
      </bdi>
      {note !== undefined && (
        <bdi className="ml-auto min-w-0 max-w-1/2 truncate pl-4 text-muted text-xs" title={note}>
          {note}
        </bdi>
      )}
      {shortcut && <kbd className="pl-4 font-sans text-muted text-xs">{shortcut}</kbd>}
    </div>
  );
}

/** The option that a key moves to; it goes around at both ends. */
function nextOf({ key }: KeyboardEvent, at: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === "ArrowDown") return (at + 1) % count;
  if (key === "ArrowUp") return (at - 1 + count) % count;
  if (key === "PageDown") return Math.min(at + 8, count - 1);
  if (key === "PageUp") return Math.max(at - 8, 0);
  return undefined;
}
