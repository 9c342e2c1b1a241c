const OPERATIONS: ReadonlySet<string> = new Set([
  "whoAmI",
  "signOut",
  "secondFactor",
  "prepareSecondFactor",
  "enableSecondFactor",
  "passkeys",
  "preparePasskey",
  "addPasskey",
]);

/** Whether a session may call the operation without the second factor that the instance requires of it. */
export const makesFactor = (id: string): boolean => OPERATIONS.has(id);
