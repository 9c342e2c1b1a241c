import { type ComponentType, type ReactNode, useId, useRef, useState } from "react";
import { lazyComponent } from "../../app/lazy-component.tsx";
import type { MenuItem } from "./menu-item.ts";
import type { MenuListProps } from "./menu-list.tsx";

const MenuList = lazyComponent(async () => (await import("./menu-list.tsx")).MenuList);

export interface TriggerProps {
  readonly id: string;
  readonly ref: (element: HTMLElement | null) => void;
  readonly "aria-haspopup": "menu";
  readonly "aria-expanded": boolean;
  readonly onClick: () => void;
}

export interface MenuProps {
  readonly label: string;
  /** Left out: `List` has them. */
  readonly items?: readonly MenuItem[];
  /** Loaded with its items when the menu opens, because the first view needs neither. */
  readonly List?: ComponentType<Omit<MenuListProps, "items">>;
  /** Renders the button with these props. */
  readonly trigger: (props: TriggerProps) => ReactNode;
}

/** A button that opens a menu. */
export function Menu({ label, items = [], List, trigger }: MenuProps) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLElement | null>(null);
  const id = useId();
  const place = {
    label,
    anchor: () => button.current?.getBoundingClientRect() ?? new DOMRect(),
    opener: button.current,
    onClose: () => setOpen(false),
  };
  return (
    <>
      {trigger({
        id,
        ref: (element) => {
          button.current = element;
        },
        "aria-haspopup": "menu",
        "aria-expanded": open,
        onClick: () => setOpen(!open),
      })}
      {open && (List ? <List {...place} /> : <MenuList {...place} items={items} />)}
    </>
  );
}
