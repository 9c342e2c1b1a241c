/** What the server would refuse, said before it is asked. Empty: nothing. */
export function setupMistakes(
  email: string,
  password: string,
): { email?: string; password?: string } {
  return {
    ...(/^\s*[^\s@]+@[^\s@]+\s*$/.test(email)
      ? {}
      : { email: "Enter an email address, such as you@example.com." }),
    ...(password.length < 8 ? { password: "Use 8 characters or more." } : {}),
    ...(password.length > 256 ? { password: "Use 256 characters or fewer." } : {}),
  };
}
