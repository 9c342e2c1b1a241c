import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Visibility } from "../../../../sdk/src/holdall.ts";
import { holdall } from "../../app/client.ts";
import { enter } from "../../app/session.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { ChoiceList } from "../../components/fields/choice-list.tsx";
import { Field } from "../../components/fields/field.tsx";
import { PasswordField } from "../../components/fields/password-field.tsx";
import { Notice } from "../../components/notice.tsx";
import { showErrorToast } from "../../components/toast-store.ts";
import { signInErrorText } from "../sign-in/sign-in-error-text.ts";
import { emailError, newPasswordError } from "../sign-in/validate-credentials.ts";

const CHOICES = [
  {
    value: "private",
    label: "Private",
    hint: "Only you, your API keys and people with a link can open them. For documents and backups.",
  },
  {
    value: "public",
    label: "Public",
    hint: "Anyone with the URL can open them. For websites and downloads.",
  },
] as const;

export interface SetupFormProps {
  readonly token: string;
  /** Called when the server refuses: the link is no longer valid, or the account exists. */
  readonly onRefused: (error: Error) => void;
}

export function SetupForm({ token, onRefused }: SetupFormProps) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [visibility, setVisibility] = useState<Visibility>();
  const [submitted, setSubmitted] = useState(false);
  const errors = { email: emailError(email), password: newPasswordError(password) };
  const isValid =
    errors.email === undefined && errors.password === undefined && visibility !== undefined;
  const setUp = useMutation({
    mutationFn: async () => {
      await holdall.account.setup({ token, email, password });
      // The account exists now, so a refusal, as of a setting that the environment sets, is only shown.
      await holdall.settings
        .change({ defaultVisibility: visibility ?? null })
        .catch((error: unknown) => showErrorToast(error));
    },
    meta: { handlesUnauthorized: true },
    // The token has been used, so it need not stay in the history.
    onSuccess: () => enter("/files", "owner"),
    onError: onRefused,
  });

  return (
    <Card className="p-6">
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          setSubmitted(true);
          if (isValid && !setUp.isPending) setUp.mutate();
        }}
      >
        <Field
          label="Email address"
          type="email"
          name="email"
          autoComplete="username"
          autoFocus
          required
          value={email}
          error={submitted ? errors.email : undefined}
          onChange={(event) => setEmail(event.target.value)}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="new-password"
          hint="At least 8 characters. A few words work well."
          required
          value={password}
          error={submitted ? errors.password : undefined}
          onChange={(event) => setPassword(event.target.value)}
        />
        <ChoiceList
          legend="New files are"
          value={visibility}
          onChange={setVisibility}
          choices={CHOICES}
        />
        <p role="alert" className="-mt-2 text-bad text-sm empty:hidden">
          {submitted && visibility === undefined ? "Choose one. You can change it later." : ""}
        </p>
        {setUp.error && <Notice tone="bad">{signInErrorText(setUp.error)}</Notice>}
        <Button type="submit" variant="primary" size="lg" busy={setUp.isPending}>
          Create account
        </Button>
      </form>
    </Card>
  );
}
