import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Notice } from "../../components/notice.tsx";
import { CredentialFields, type CredentialFieldsProps } from "./credential-fields.tsx";

export interface CredentialFormProps extends CredentialFieldsProps {
  /** Fields after the email address and the password. */
  readonly children?: ReactNode;
  readonly submitLabel: string;
  readonly busy: boolean;
  readonly errorText: string | undefined;
  readonly onSubmit: () => void;
}

/** A form with an email address and a password. */
export function CredentialForm(props: CredentialFormProps) {
  const { children, submitLabel, busy, errorText, onSubmit, ...fields } = props;
  return (
    <Card className="p-6">
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <CredentialFields {...fields} />
        {children}
        {errorText !== undefined && <Notice tone="bad">{errorText}</Notice>}
        <Button type="submit" variant="primary" size="lg" busy={busy}>
          {submitLabel}
        </Button>
      </form>
    </Card>
  );
}
