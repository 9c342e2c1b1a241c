/** The error of an email address; undefined: it has none. */
export const emailError = (email: string): string | undefined =>
  /^\s*[^\s@]+@[^\s@]+\s*$/.test(email)
    ? undefined
    : "Enter an email address, such as you@example.com.";

/** The error of a password that is to be set; undefined: it has none. The server refuses more. */
export function newPasswordError(password: string): string | undefined {
  if (password.length < 8) return "Use at least 8 characters.";
  return password.length > 256 ? "Use at most 256 characters." : undefined;
}

/** The error of a password that is asked for; undefined: it has none. */
export const givenPasswordError = (password: string): string | undefined =>
  password === "" ? "Enter your password." : undefined;

export interface EnteredCredentials {
  readonly email: string;
  readonly password: string;
}

/** Whether the password is a new one, or is asked for. */
export type PasswordKind = "new" | "given";

/** Error messages for an email address and a password; a valid one has none. */
export function credentialErrors(
  { email, password }: EnteredCredentials,
  kind: PasswordKind,
): Partial<EnteredCredentials> {
  const ofEmail = emailError(email);
  const ofPassword = kind === "new" ? newPasswordError(password) : givenPasswordError(password);
  return {
    ...(ofEmail === undefined ? {} : { email: ofEmail }),
    ...(ofPassword === undefined ? {} : { password: ofPassword }),
  };
}

/** The error of a code of an authenticator app or a recovery code; undefined: it can be sent. */
export const codeError = (code: string): string | undefined =>
  code.trim() === "" ? "Enter the code." : undefined;
