/** Validates the form before it is sent. An empty object means valid. */
export function validateSetup(
  email: string,
  password: string,
): { email?: string; password?: string } {
  return {
    ...(/^\s*[^\s@]+@[^\s@]+\s*$/.test(email)
      ? {}
      : { email: "Enter an email address, such as you@example.com." }),
    ...(password.length < 8 ? { password: "Use at least 8 characters." } : {}),
    ...(password.length > 256 ? { password: "Use at most 256 characters." } : {}),
  };
}
