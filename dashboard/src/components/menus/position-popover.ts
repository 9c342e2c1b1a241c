const GAP = 4;
const MARGIN = 8;

/** Positions a fixed element below the anchor, or above if there is more room, within the window. */
export function positionPopover(element: HTMLElement, anchor: DOMRect): void {
  const { offsetWidth: width, offsetHeight: height } = element;
  const below = window.innerHeight - anchor.bottom - GAP - MARGIN;
  const above = anchor.top - GAP - MARGIN;
  const opensAbove = height > below && above > below;
  const maxHeight = Math.max(120, opensAbove ? above : below);
  const top = opensAbove ? anchor.top - GAP - Math.min(height, maxHeight) : anchor.bottom + GAP;
  // Aligned with the anchor's left edge, unless that leaves the window.
  const left = Math.min(anchor.left, window.innerWidth - width - MARGIN);
  element.style.maxHeight = `${maxHeight}px`;
  element.style.minWidth = `${Math.min(Math.max(192, anchor.width), 320)}px`;
  element.style.top = `${Math.max(MARGIN, top)}px`;
  element.style.left = `${Math.max(MARGIN, left)}px`;
}
