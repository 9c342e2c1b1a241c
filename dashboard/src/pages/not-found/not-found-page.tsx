import { Compass } from "lucide-react";
import { Link } from "../../app/navigation/link.tsx";
import { EmptyState } from "../../components/empty-state.tsx";

export function NotFoundPage() {
  return (
    <main id="content" tabIndex={-1} className="grid flex-1 place-items-center outline-none">
      <div>
        <h1 className="sr-only">Not found</h1>
        <EmptyState
          title="Page not found"
          Icon={Compass}
          action={
            <Link to="/files" className="font-medium text-accent underline underline-offset-4">
              Go to Files
            </Link>
          }
        >
          <p>Check the address, or go to your files.</p>
        </EmptyState>
      </div>
    </main>
  );
}
