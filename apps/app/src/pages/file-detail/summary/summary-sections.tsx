import { structureHeadings } from '@linnet/contract/structures';
import { useTranslation } from '../../../i18n/index.ts';
import type { SummarySection } from '../../../summary-points.ts';
import { PlayTime, SourceLink } from '../analysis/source-link.tsx';
import type { Player } from '../player/use-player.ts';

type Heading = (typeof structureHeadings)[keyof typeof structureHeadings][number];
const headings: ReadonlySet<string> = new Set(Object.values(structureHeadings).flat());
const isHeading = (key: string): key is Heading => headings.has(key);

/** Shows the sections of a summary, with links to their sources. */
export function SummarySections({
  sections,
  custom,
  player,
  jump,
}: {
  sections: readonly SummarySection[];
  /** Whether the user wrote the headings. If so, they must not be translated. */
  custom: boolean;
  player: Player;
  jump(paragraph: string): void;
}) {
  const { t } = useTranslation();
  return sections.map(({ key, heading, points }) => (
    <section key={key}>
      <h2 dir="auto">
        {!custom && isHeading(heading) ? t(`summary.headings.${heading}`) : heading}
      </h2>
      <ul className="summary-points">
        {points.map(({ key: point, text, time, paragraph }) => (
          <li key={point}>
            <p dir="auto">{text}</p>
            <span className="summary-source">
              {time !== null && <PlayTime time={time} onPlay={player.playFrom} />}
              {paragraph !== null && <SourceLink text={text} paragraph={paragraph} onJump={jump} />}
            </span>
          </li>
        ))}
      </ul>
    </section>
  ));
}
