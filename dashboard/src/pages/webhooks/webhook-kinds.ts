import type { NewWebhook } from "../../../../sdk/src/webhooks-only.ts";

interface KindChoice {
  readonly value: string;
  readonly label: string;
  /** None: all. */
  readonly kinds: NonNullable<NewWebhook["kinds"]>;
}

/** The types of events that a webhook can be created with here; programs can name each. */
export const KIND_CHOICES: readonly KindChoice[] = [
  { value: "all", label: "All changes", kinds: [] },
  {
    value: "arrivals",
    label: "New files and new content",
    kinds: ["file.created", "file.replaced"],
  },
  {
    value: "files",
    label: "All changes of files",
    kinds: [
      ...(["file.created", "file.replaced", "file.updated"] as const),
      ...(["file.moved", "file.deleted", "file.restored"] as const),
    ],
  },
  {
    value: "operator",
    label: "Failed backups and damaged files",
    kinds: ["backup.failed", "scrub.findings"],
  },
];

/** In words. */
export function kindsText(kinds: readonly string[]): string {
  const known = KIND_CHOICES.find(
    (choice) =>
      choice.kinds.length === kinds.length &&
      kinds.every((kind) => choice.kinds.some((each) => each === kind)),
  );
  return known?.label ?? kinds.join(", ");
}
