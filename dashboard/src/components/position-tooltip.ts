const GAP = 6;
const MARGIN = 6;

/** Centers a tooltip below its owner, or above it at the bottom of the window. */
export function positionTooltip(tooltip: HTMLElement, owner: DOMRect): void {
  const { offsetWidth: width, offsetHeight: height } = tooltip;
  const below = owner.bottom + GAP;
  const top = below + height > window.innerHeight - MARGIN ? owner.top - GAP - height : below;
  const left = owner.left + owner.width / 2 - width / 2;
  tooltip.style.top = `${Math.max(MARGIN, top)}px`;
  tooltip.style.left = `${Math.max(MARGIN, Math.min(left, window.innerWidth - width - MARGIN))}px`;
}
