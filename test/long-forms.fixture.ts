/**
 * Whether tests run in their long forms, with more iterations, as `npm run test:cluster` does in its
 * round "long forms". `npm test` runs the short forms, which cover the same subjects.
 */
export const isLongForm = process.env.HOLDALL_LONG_TESTS === "1";
