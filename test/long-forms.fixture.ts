/**
 * Whether tests run in their long forms, with more iterations, as `npm run test:cluster` does in its
 * round "long forms". `npm test` runs the short forms, which cover the same subjects.
 */
export const isLongForm = process.env.HOLDALL_LONG_TESTS === "1";

/**
 * Whether tests run on other stores in the short form of `npm run test:cluster`. What does not depend on the
 * store has been tested by `npm test` then.
 */
export const isShortCluster = process.env.HOLDALL_TEST_SHORT_CLUSTER === "1";
