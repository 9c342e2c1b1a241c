import { Fault } from "../../../domain/faults/fault.ts";

/** Fault "forbidden" where PASSWORD_SIGN_IN is off. */
export function requirePasswordSignIn(isOn: boolean): void {
  if (isOn) return;
  throw new Fault(
    "forbidden",
    "Passwords do not sign in here. Sign in with the provider or a passkey.",
    { code: "password_sign_in_off" },
  );
}
