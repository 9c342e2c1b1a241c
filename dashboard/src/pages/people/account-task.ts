/** The dialogs that the menu of an account opens. */
export type AccountTask =
  | "access"
  | "role"
  | "disable"
  | "enable"
  | "password"
  | "secondFactor"
  | "remove";
