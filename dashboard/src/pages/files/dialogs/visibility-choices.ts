export const VISIBILITY_CHOICES = [
  { value: "public", label: "Public", hint: "Anyone with the URL of a file can open it." },
  {
    value: "private",
    label: "Private",
    hint: "Opening a file needs an API key, a signed link or your account.",
  },
] as const;
