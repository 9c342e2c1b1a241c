import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Visibility } from "../../../../sdk/src/holdall.ts";
import { holdall } from "../../app/connection/client.ts";
import { enter } from "../../app/session/session.ts";
import { ChoiceList } from "../../components/fields/choice-list.tsx";
import { showErrorToast } from "../../components/toast-store.ts";
import { NO_CREDENTIALS } from "../sign-in/credential-fields.tsx";
import { CredentialForm } from "../sign-in/credential-form.tsx";
import { signInErrorText } from "../sign-in/sign-in-error-text.ts";
import { credentialErrors } from "../sign-in/validate-credentials.ts";

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
  const [credentials, setCredentials] = useState(NO_CREDENTIALS);
  const [visibility, setVisibility] = useState<Visibility>();
  const [submitted, setSubmitted] = useState(false);
  const errors = credentialErrors(credentials, "new");
  const isValid = Object.keys(errors).length === 0 && visibility !== undefined;
  const setUp = useMutation({
    mutationFn: async () => {
      await holdall.account.setup({ token, ...credentials });
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
    <CredentialForm
      kind="new"
      value={credentials}
      onChange={setCredentials}
      errors={submitted ? errors : {}}
      submitLabel="Create account"
      busy={setUp.isPending}
      errorText={setUp.error ? signInErrorText(setUp.error) : undefined}
      onSubmit={() => {
        setSubmitted(true);
        if (isValid && !setUp.isPending) setUp.mutate();
      }}
    >
      <ChoiceList
        legend="New files are"
        value={visibility}
        onChange={setVisibility}
        choices={CHOICES}
      />
      <p role="alert" className="-mt-2 text-bad text-sm empty:hidden">
        {submitted && visibility === undefined ? "Choose one. You can change it later." : ""}
      </p>
    </CredentialForm>
  );
}
