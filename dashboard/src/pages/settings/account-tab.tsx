import { Link } from "../../app/navigation/link.tsx";
import { useSession } from "../../app/session/session.ts";
import { useCan } from "../../rights/rights.ts";
import { EmailForm } from "./email-form.tsx";
import { Section, SectionList } from "./section.tsx";

export function AccountTab() {
  const can = useCan();
  const hasPassword = useSession().data?.account.hasPassword ?? true;
  return (
    <SectionList>
      <Section
        title="Profile"
        description={
          hasPassword ? "You sign in with this address." : "You sign in without a password."
        }
      >
        <EmailForm />
      </Section>
      {can("admin") && (
        <Section
          title="People"
          description="Give others an account of their own, for the folders that you choose."
        >
          <Link
            to="/people?invite"
            className="inline-block rounded-sm font-medium text-accent underline underline-offset-4"
          >
            Invite somebody
          </Link>
        </Section>
      )}
    </SectionList>
  );
}
