import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { peopleOf } from "../../../../sdk/src/people.ts";
import { holdall, isStatus } from "../../app/connection/client.ts";
import { enter } from "../../app/session/session.ts";
import { NO_CREDENTIALS } from "../sign-in/credential-fields.tsx";
import { CredentialForm } from "../sign-in/credential-form.tsx";
import { signInErrorText } from "../sign-in/sign-in-error-text.ts";
import { credentialErrors } from "../sign-in/validate-credentials.ts";

export interface InviteFormProps {
  readonly token: string;
  /** The invitation was used up meanwhile. */
  readonly onGone: () => void;
}

/** Accepts an invitation with an email address and a password, which signs in. */
export function InviteForm({ token, onGone }: InviteFormProps) {
  const [credentials, setCredentials] = useState(NO_CREDENTIALS);
  const [submitted, setSubmitted] = useState(false);
  const errors = credentialErrors(credentials, "new");
  const isValid = Object.keys(errors).length === 0;
  const accept = useMutation({
    mutationFn: () => peopleOf(holdall).acceptInvite({ token, ...credentials }),
    meta: { handlesUnauthorized: true },
    onSuccess: ({ role }) => enter("/files", role),
    onError: (error) => {
      if (isStatus(error, 410)) onGone();
    },
  });
  return (
    <CredentialForm
      kind="new"
      value={credentials}
      onChange={setCredentials}
      errors={submitted ? errors : {}}
      emailHint="You sign in with it. No mail is sent."
      submitLabel="Create account"
      busy={accept.isPending}
      errorText={accept.error ? signInErrorText(accept.error) : undefined}
      onSubmit={() => {
        setSubmitted(true);
        if (isValid && !accept.isPending) accept.mutate();
      }}
    />
  );
}
