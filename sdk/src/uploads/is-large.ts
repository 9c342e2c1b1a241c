import { RESUMABLE_ABOVE } from "./upload-file.ts";

export interface LargeOptions {
  /** Larger files are uploads of their own, smaller ones share requests. Default: 16 MiB. */
  readonly resumableAbove?: number | undefined;
}

/** Whether a file of a batch is an upload of its own instead of a part of a form. */
export const isLarge = (
  { size }: { readonly size: number },
  { resumableAbove = RESUMABLE_ABOVE }: LargeOptions,
): boolean => size > resumableAbove;
