import { Check } from "lucide-react";
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { canAll } from "../../rights/rights.ts";
import type { MenuItem } from "./menu-item.ts";
import { positionPopover } from "./position-popover.ts";

export interface MenuListProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
  /** The rectangle that the menu opens next to, in window coordinates. */
  readonly anchor: () => DOMRect;
  /** Clicks on the opener do not close the menu; it gets the focus back. */
  readonly opener: HTMLElement | null;
  readonly onClose: () => void;
}

/** Phones, and windows too low for a menu beside its button: the menu is a sheet at the bottom edge. */
const SHEET = "((pointer: coarse) and (width < 48rem)), (height < 30rem)";

/** An open menu (WAI-ARIA menu pattern): arrows, Home, End, first letters, Escape. */
export function MenuList({ label, items, anchor, opener, onClose }: MenuListProps) {
  const ref = useRef<HTMLDivElement>(null);
  /** The menu, or the sheet with its backdrop. */
  const layer = useRef<HTMLDivElement>(null);
  const [isSheet] = useState(() => window.matchMedia(SHEET).matches);
  const close = useRef(onClose);
  close.current = onClose;

  // biome-ignore lint/correctness/useExhaustiveDependencies: positioned once, when it opens.
  useLayoutEffect(() => {
    const list = ref.current;
    if (list === null) return;
    layer.current?.showPopover();
    if (!isSheet) positionPopover(list, anchor());
    itemsOf(list)[0]?.focus();
  }, []);

  useEffect(() => {
    const handleOutside = (event: Event) => {
      if (!(event.target instanceof Node)) return;
      if (layer.current?.contains(event.target) || opener?.contains(event.target)) return;
      close.current();
    };
    const handleResize = () => close.current();
    // The page does not scroll. To close the menu instead would end it at
    // once, because trackpads go on scrolling for a while.
    const holdPage = (event: Event) => {
      if (event.target instanceof Node && ref.current?.contains(event.target)) return;
      event.preventDefault();
    };
    const active = { capture: true, passive: false };
    document.addEventListener("pointerdown", handleOutside, true);
    document.addEventListener("wheel", holdPage, active);
    document.addEventListener("touchmove", holdPage, active);
    window.addEventListener("resize", handleResize);
    return () => {
      document.removeEventListener("pointerdown", handleOutside, true);
      document.removeEventListener("wheel", holdPage, active);
      document.removeEventListener("touchmove", holdPage, active);
      window.removeEventListener("resize", handleResize);
    };
  }, [opener]);

  const finish = () => {
    onClose();
    opener?.focus();
  };

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    event.stopPropagation();
    const all = itemsOf(event.currentTarget);
    const index = all.findIndex((item) => item.matches(":focus"));
    const to = nextIndex(event.key, index, all);
    if (to !== undefined) {
      event.preventDefault();
      all[to]?.focus();
    } else if (event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      finish();
    }
  };

  const shown = items.filter(
    ({ isForMenus = false, needs }) => canAll(needs) && !(isSheet && isForMenus),
  );
  const list = (
    <div
      ref={(element) => {
        ref.current = element;
        if (!isSheet) layer.current = element;
      }}
      popover={isSheet ? undefined : "manual"}
      role="menu"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => event.preventDefault()}
      className={
        isSheet
          ? "min-h-0 flex-1 overflow-y-auto overscroll-contain p-2"
          : "fixed m-0 min-w-48 animate-rise overflow-y-auto rounded-lg bg-surface p-1 text-ink shadow-pop"
      }
    >
      {shown.map(({ label: name, Icon, shortcut, tone, isChecked, separated, onSelect }) => (
        <button
          key={name}
          type="button"
          {...(isChecked === undefined
            ? { role: "menuitem" }
            : { role: "menuitemradio", "aria-checked": isChecked })}
          tabIndex={-1}
          onClick={(event) => {
            event.stopPropagation();
            finish();
            onSelect();
          }}
          className={`flex h-9 w-full items-center gap-2.5 rounded-md px-2.5 text-left outline-none hover:bg-press focus:bg-press md:h-8 pointer-coarse:h-11 ${tone === "danger" ? "text-bad" : ""} ${separated ? "relative mt-2.25 before:absolute before:-top-1.25 before:-right-1 before:-left-1 before:h-px before:bg-line" : ""}`}
        >
          {Icon && <Icon aria-hidden className={`size-4 flex-none ${tone ? "" : "text-muted"}`} />}
          <span className="flex-1 whitespace-nowrap">{name}</span>
          {isChecked && <Check aria-hidden className="size-4 flex-none text-accent" />}
          {shortcut && (
            <kbd className="pl-4 font-sans text-muted text-xs pointer-coarse:hidden">
              {shortcut}
            </kbd>
          )}
        </button>
      ))}
    </div>
  );
  if (!isSheet) return list;
  return (
    // biome-ignore lint/a11y: a click beside the sheet closes it, and so does Escape.
    <div
      ref={layer}
      popover="manual"
      // Not on pointerdown: the click would open what is below.
      onClick={(event) => {
        event.stopPropagation();
        if (event.target === event.currentTarget) finish();
      }}
      className="fixed inset-0 m-0 size-auto max-h-none max-w-none animate-fade flex-col justify-end bg-scrim p-0 text-ink open:flex"
    >
      <div className="mx-auto flex max-h-[calc(100dvh-1rem)] w-full max-w-110 flex-col rounded-t-xl bg-surface shadow-dialog">
        <p aria-hidden className="truncate px-5 pt-3 pb-1 text-muted text-sm">
          <bdi>{label}</bdi>
        </p>
        {list}
      </div>
    </div>
  );
}

const itemsOf = (list: HTMLElement): HTMLElement[] => [
  ...list.querySelectorAll<HTMLElement>('[role^="menuitem"]'),
];

function nextIndex(key: string, index: number, all: readonly HTMLElement[]): number | undefined {
  const count = all.length;
  if (key === "ArrowDown") return (index + 1) % count;
  if (key === "ArrowUp") return (index - 1 + count) % count;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  if (key.length !== 1 || key === " ") return undefined;
  const letter = key.toLowerCase();
  for (let step = 1; step <= count; step += 1) {
    const next = (index + step) % count;
    if (all[next]?.textContent?.trim().toLowerCase().startsWith(letter)) return next;
  }
  return undefined;
}
