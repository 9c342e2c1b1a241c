import { expect, test } from "bun:test";
import { rejectCommonPassword } from "./common-password.ts";

test.each([
  "password",
  "Password1",
  "12345678",
  "qwertyuiop",
  "P@ssw0rd",
  "ILOVEYOU",
  "１２３４５６７８",
])("refuses %p", (password) => {
  expect(() => rejectCommonPassword(password)).toThrow("one of the first that attackers try");
});

test.each([
  "correct horse battery",
  "password of my own",
  "a long enough password",
  "",
  "tr0mb0ne!",
])("accepts %p", (password) => {
  expect(() => rejectCommonPassword(password)).not.toThrow();
});
