import { useSession } from "../../app/session/session.ts";
import { providerName } from "../../app/session/sign-in-methods.ts";
import { PasskeyPanel } from "./passkeys/passkey-panel.tsx";
import { PasswordForm } from "./password-form.tsx";
import { ProviderPanel } from "./provider/provider-panel.tsx";
import { SecondFactorPanel } from "./second-factor/second-factor-panel.tsx";
import { Section, SectionList } from "./section.tsx";
import { SessionList } from "./session-list.tsx";

/** How the account is protected. */
export const SecurityTab = () => (
  <SectionList>
    <PasswordSections />
    {providerName !== undefined && (
      <Section
        title="Sign-in provider"
        description="Sign in with your account there. It needs neither password nor code here."
      >
        <ProviderPanel />
      </Section>
    )}
    <Section title="Sessions" description="Devices signed in to this account.">
      <SessionList />
    </Section>
  </SectionList>
);

/** The sections that need the password, which confirms changes in all of them. */
function PasswordSections() {
  const { data } = useSession();
  if (data?.account.hasPassword === false) {
    return (
      <Section title="Password" description="You sign in without one.">
        <p className="text-muted text-sm">
          Two-step sign-in and passkeys need a password. An owner can set one for you.
        </p>
      </Section>
    );
  }
  return (
    <>
      <Section title="Password" description="Changing your password signs you out everywhere else.">
        <PasswordForm />
      </Section>
      <Section
        title="Two-step sign-in"
        description="Asks for a code from your phone as well as your password."
      >
        <SecondFactorPanel />
      </Section>
      <Section
        title="Passkeys"
        description="Sign in with your fingerprint, face or PIN. A passkey needs neither password nor code."
      >
        <PasskeyPanel />
      </Section>
    </>
  );
}
