import { formatBytes } from "../../../../contract/text/format-bytes.ts";
import { quoteIfNeeded } from "../../../../contract/text/quote-shell.ts";
import type { HealthBackup } from "../../../../sdk/src/holdall.ts";
import { CodeBlock } from "../../components/code-block.tsx";
import { Figure, FigureList } from "../../components/figure-list.tsx";
import { Panel } from "../../components/panel.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { formatAge } from "../../text/format-age.ts";
import { formatCount } from "../../text/format-count.ts";
import type { HealthPanelProps } from "./check-panel.tsx";
import { knowsBackups } from "./find-problems.ts";
import { serverCommand } from "./server-command.ts";

const EXAMPLE_PATH = "/backups/holdall";

/** The last backup, and how to make one. */
export function BackupPanel({ health }: HealthPanelProps) {
  const { backup, parts } = health;
  if (!knowsBackups(parts)) {
    return (
      <Panel title="Backups">
        <p>
          This server's database is PostgreSQL, which has its own tools for backups. They leave no
          note here. Back up the database first, then the files:
        </p>
        <CodeBlock
          label="Database"
          code={'pg_dump --format=custom "$DATABASE_URL" > holdall.dump'}
        />
      </Panel>
    );
  }
  return (
    <Panel title="Backups">
      <div className="flex flex-col gap-3">
        <p>
          {backup === null
            ? "No backup is recorded yet. Run this every day, while the server is running:"
            : `Last backup: ${formatAge(backup.finishedAt)}. Make one every day:`}
        </p>
        <CodeBlock
          label="Back up"
          code={serverCommand(health, `backup ${quoteIfNeeded(backup?.path ?? EXAMPLE_PATH)}`)}
        />
        {backup === null && (
          <p className="text-muted text-sm">
            Keep it on another disk or machine. Copies that other tools make are not known here.
          </p>
        )}
      </div>
      {backup !== null && <BackupFigures backup={backup} />}
    </Panel>
  );
}

const BackupFigures = ({ backup }: { readonly backup: HealthBackup }) => (
  <FigureList>
    <Figure name="Finished" value={<Timestamp at={backup.finishedAt} length="long" />} />
    <Figure name="Folder" value={backup.path} />
    <Figure
      name="Content"
      value={`${formatCount(backup.files, "file")}, ${formatBytes(backup.bytes)}`}
    />
    {backup.damaged > 0 && (
      <Figure name="Damaged and left out" value={formatCount(backup.damaged, "file")} />
    )}
  </FigureList>
);
