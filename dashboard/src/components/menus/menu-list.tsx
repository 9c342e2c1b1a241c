import { Check } from "lucide-react";
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from "react";
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

/** An open menu (WAI-ARIA menu pattern): arrows, Home, End, first letters, Escape. */
export function MenuList({ label, items, anchor, opener, onClose }: MenuListProps) {
  const ref = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;

  // biome-ignore lint/correctness/useExhaustiveDependencies: positioned once, when it opens.
  useLayoutEffect(() => {
    const list = ref.current;
    if (list === null) return;
    list.showPopover();
    positionPopover(list, anchor());
    itemsOf(list)[0]?.focus();
  }, []);

  useEffect(() => {
    const handleOutside = (event: Event) => {
      if (!(event.target instanceof Node)) return;
      if (ref.current?.contains(event.target) || opener?.contains(event.target)) return;
      close.current();
    };
    const handleResize = () => close.current();
    // As below the system's menus, the page does not scroll. To close the menu instead would end it at
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

  return (
    <div
      ref={ref}
      popover="manual"
      role="menu"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => event.preventDefault()}
      className="fixed m-0 min-w-48 animate-rise overflow-y-auto rounded-lg bg-surface p-1 text-ink shadow-pop"
    >
      {items.map(({ label: name, Icon, shortcut, tone, isChecked, separated, onSelect }) => (
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
