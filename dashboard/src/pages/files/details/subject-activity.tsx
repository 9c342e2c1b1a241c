import { useQuery } from "@tanstack/react-query";
import { useSession } from "../../../app/session/session.ts";
import { Skeleton } from "../../../components/skeleton.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { can } from "../../../rights/rights.ts";
import { sentenceOf, toPlainText } from "../../activity/sentence.ts";
import { subjectActivityKey } from "../data/refresh-details.ts";
import { DetailSection } from "./detail-list.tsx";
import type { readSubjectActivity } from "./read-subject-activity.ts";
import type { ActivitySubject } from "./with-upload.ts";

export interface SubjectActivityProps {
  readonly subject: ActivitySubject;
  readonly read: typeof readSubjectActivity;
}

/** The latest events about a file or folder. */
export function SubjectActivity({ subject, read }: SubjectActivityProps) {
  const { data, error } = useQuery({
    queryKey: subjectActivityKey(subject.id),
    queryFn: ({ signal }) => read(subject, signal),
    staleTime: 0,
  });
  const session = useSession().data;
  const me = session?.account.id;
  return (
    <DetailSection title="Activity">
      {data === undefined && !error && <Skeleton className="h-10" />}
      {error && <p className="text-bad text-sm">{error.message}</p>}
      {data?.length === 0 && (
        <p className="text-muted text-sm">{can("admin") ? "None yet." : "None of yours yet."}</p>
      )}
      <ul className="flex flex-col gap-2 text-sm">
        {data?.map((event) => (
          <li key={event.id}>
            <p className="break-words">{toPlainText(sentenceOf(event, me))}</p>
            <p className="text-muted text-xs tabular-nums">
              <Timestamp at={event.at} length="long" />
            </p>
          </li>
        ))}
      </ul>
    </DetailSection>
  );
}
