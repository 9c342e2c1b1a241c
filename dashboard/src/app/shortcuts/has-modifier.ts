interface ModifierKeys {
  readonly metaKey: boolean;
  readonly ctrlKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/** Whether a click has a modifier key, which asks the browser for a new tab, window or download. */
export const hasModifier = ({ metaKey, ctrlKey, shiftKey, altKey }: ModifierKeys): boolean =>
  metaKey || ctrlKey || shiftKey || altKey;

/** Whether a click, also one that changed a checkbox, was made with the Shift key. */
export const hasShift = (event: Event): boolean => event instanceof MouseEvent && event.shiftKey;
