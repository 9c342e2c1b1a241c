import { LoaderCircle } from "lucide-react";

export function Spinner() {
  return <LoaderCircle aria-hidden className="size-4 flex-none animate-turn" />;
}
