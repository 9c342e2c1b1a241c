/** Part sizes of multipart uploads. S3 allows 10,000 parts, of at least 5 MiB except for the last. */
export interface PartSizes {
  readonly regular: number;
  /** Parts of the regular size come first: some stores require equal sizes. */
  readonly regularCount: number;
  /** The size of the parts after those, up to `maxCount` parts in all. */
  readonly large: number;
  readonly maxCount: number;
}

/** 40 GiB in regular parts, at most 352 GiB. */
export const PART_SIZES: PartSizes = {
  regular: 8 * 1024 ** 2,
  regularCount: 5000,
  large: 64 * 1024 ** 2,
  maxCount: 10_000,
};

/** The size of a part that is not the last. Parts are numbered from 1. */
export const sizeOfPart = (sizes: PartSizes, part: number): number =>
  part <= sizes.regularCount ? sizes.regular : sizes.large;
