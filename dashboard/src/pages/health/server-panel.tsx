import { CircleAlert, CircleCheck } from "lucide-react";
import type { HealthPart } from "../../../../sdk/src/holdall.ts";
import { Figure, FigureList } from "../../components/figure-list.tsx";
import { Panel } from "../../components/panel.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import type { HealthPanelProps } from "./check-panel.tsx";

const PART_NAMES = { catalog: "Database", blobs: "File storage", redis: "Rate limits" };
const KIND_NAMES = {
  sqlite: "SQLite",
  postgres: "PostgreSQL",
  disk: "This machine's disk",
  s3: "S3",
  redis: "Redis",
};

/** The server and what it depends on. */
export function ServerPanel({ health: { parts, workers, version, startedAt } }: HealthPanelProps) {
  const { configured, running } = workers;
  return (
    <Panel title="Server">
      <ul className="flex flex-col gap-2">
        {parts.map((part) => (
          <PartState key={part.part} part={part} />
        ))}
      </ul>
      <FigureList>
        <Figure
          name="Worker processes"
          value={running === configured ? running : `${running} of ${configured}`}
        />
        <Figure name="Version" value={version} />
        <Figure name="Running since" value={<Timestamp at={startedAt} length="long" />} />
      </FigureList>
    </Panel>
  );
}

function PartState({ part: { part, kind, problem } }: { readonly part: HealthPart }) {
  const Icon = problem === null ? CircleCheck : CircleAlert;
  return (
    <li className="flex items-start gap-2.5">
      <Icon
        aria-hidden
        className={`mt-0.5 size-4 flex-none ${problem === null ? "text-good" : "text-bad"}`}
      />
      <span className="min-w-0">
        {PART_NAMES[part]}: {KIND_NAMES[kind]}{" "}
        <span className={problem === null ? "text-muted" : "text-bad"}>
          {problem === null ? "responds" : "doesn't respond"}
        </span>
      </span>
    </li>
  );
}
