import { branchColours } from '../../../mind-map/colours.ts';
import type { Twig } from '../../../mind-map/tree.ts';
import { PlayTime, SourceLink } from '../analysis/source-link.tsx';
import type { TabProps } from '../tab.ts';

function Line({ twig, tab }: { twig: Twig; tab: TabProps }) {
  const { source } = twig;
  return (
    <p className="outline-line">
      <span dir="auto">{twig.topic}</span>
      {source && source.time !== null && (
        <PlayTime time={source.time} onPlay={tab.player.playFrom} />
      )}
      {source && <SourceLink text={twig.topic} paragraph={source.paragraph} onJump={tab.jump} />}
    </p>
  );
}

function Twigs({ twigs, tab, level }: { twigs: readonly Twig[]; tab: TabProps; level: number }) {
  return (
    <ul className="outline-twigs" data-level={level}>
      {twigs.map((twig, index) => (
        <li key={twig.id} data-colour={level === 0 ? index % branchColours : undefined}>
          <Line twig={twig} tab={tab} />
          {twig.twigs.length > 0 && <Twigs twigs={twig.twigs} tab={tab} level={level + 1} />}
        </li>
      ))}
    </ul>
  );
}

/** The map as nested lists. */
export function MapOutline({ tree, tab }: { tree: Twig; tab: TabProps }) {
  return (
    <section className="outline" data-testid="map-outline">
      <h2 className="display" dir="auto">
        {tree.topic}
      </h2>
      <Twigs twigs={tree.twigs} tab={tab} level={0} />
    </section>
  );
}
