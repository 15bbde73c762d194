import { branchColors } from '@linnet/mind-map/colors';
import type { MindMapBranch } from '@linnet/mind-map/tree';
import { PlayTime, SourceLink } from '../analysis/source-link.tsx';
import type { TabProps } from '../tab.ts';

function Line({ branch, tab }: { branch: MindMapBranch; tab: TabProps }) {
  const { source } = branch;
  return (
    <p className="outline-line">
      <span dir="auto">{branch.topic}</span>
      {source && source.time !== null && (
        <PlayTime time={source.time} onPlay={tab.player.playFrom} />
      )}
      {source && <SourceLink text={branch.topic} paragraph={source.paragraph} onJump={tab.jump} />}
    </p>
  );
}

function Branches({
  branches,
  tab,
  level,
}: {
  branches: readonly MindMapBranch[];
  tab: TabProps;
  level: number;
}) {
  return (
    <ul className="outline-branches" data-level={level}>
      {branches.map((branch, index) => (
        <li key={branch.id} data-color={level === 0 ? index % branchColors : undefined}>
          <Line branch={branch} tab={tab} />
          {branch.children.length > 0 && (
            <Branches branches={branch.children} tab={tab} level={level + 1} />
          )}
        </li>
      ))}
    </ul>
  );
}

/** Shows the map as nested lists. */
export function MapOutline({ tree, tab }: { tree: MindMapBranch; tab: TabProps }) {
  return (
    <section className="outline" data-testid="map-outline">
      <h2 className="display" dir="auto">
        {tree.topic}
      </h2>
      <Branches branches={tree.children} tab={tab} level={0} />
    </section>
  );
}
