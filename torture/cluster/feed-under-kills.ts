import { startChurn } from "../changes/tree-churn.ts";
import { compareWithTree, startFollower } from "../changes/tree-follower.ts";
import { pickAny, randomInt } from "../random.ts";
import type { Row, Scale } from "../trial.ts";
import { type ClusterFixture, startCluster } from "./cluster.fixture.ts";

const FOLLOWERS = 3;

/**
 * kill -9 of one of three servers while clients change the tree on all of them, and others follow the
 * change feed on any of them and rebuild the tree from it alone.
 */
export async function feedUnderKills(scale: Scale): Promise<Row> {
  const cluster = await startCluster();
  try {
    return await killMany(cluster, scale);
  } finally {
    await cluster.dispose();
  }
}

async function killMany({ instances }: ClusterFixture, scale: Scale): Promise<Row> {
  const kills = scale.tries(20, 1);
  const problems: string[] = [];
  let changes = 0;
  const followers = await Promise.all(
    Array.from({ length: FOLLOWERS }, () => startFollower(instances)),
  );
  const content = followers[0]?.content ?? (() => ({ files: [], folders: [] }));
  for (let kill = 1; kill <= kills && problems.length === 0; kill += 1) {
    const churn = startChurn(instances, content);
    await Bun.sleep(randomInt(300, 2000));
    const killed = pickAny(instances);
    if (killed === undefined) throw new Error("There are no instances.");
    await killed.kill();
    await Bun.sleep(randomInt(0, 1000));
    await killed.start();
    await churn.end();
    changes += churn.count;
    for (const problem of await compareWithTree(followers, killed)) {
      problems.push(`After kill ${kill}: ${problem}`);
    }
  }
  const entries = followers[0]?.cursors.length ?? 0;
  await Promise.all(followers.map((each) => each.end()));
  return {
    fault: "kill -9 of one of three servers while clients rebuild the tree from the feed",
    tries: kills,
    lost: 0,
    leftovers: 0,
    problems,
    note: `${changes} acknowledged requests, ${entries} changes followed by ${FOLLOWERS} clients`,
  };
}
