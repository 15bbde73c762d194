import { structureHeadings } from '@linnet/contract/structures';
import { clock } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import type { SummarySection } from './summary-points.ts';
import type { Player } from './use-player.ts';

type Heading = (typeof structureHeadings)[keyof typeof structureHeadings][number];
const headings: ReadonlySet<string> = new Set(Object.values(structureHeadings).flat());
const isHeading = (key: string): key is Heading => headings.has(key);

/** Headings, and under each what was said, with the way to where it was. */
export function SummarySections({
  sections,
  own,
  player,
}: {
  sections: readonly SummarySection[];
  /** Whether the headings are their owner's words, also where the app has such a word. */
  own: boolean;
  player: Player;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  return sections.map(({ key, heading, points }) => (
    <section key={key}>
      <h2 dir="auto">{!own && isHeading(heading) ? t(`summary.headings.${heading}`) : heading}</h2>
      <ul className="summary-points">
        {points.map(({ key: point, text, time }) => (
          <li key={point}>
            <p dir="auto">{text}</p>
            {time !== null && (
              <button
                type="button"
                className="paragraph-time tabular"
                aria-label={t('detail.playFrom', { time: clock(time, language) })}
                onClick={() => player.playFrom(time)}
              >
                {clock(time, language)}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  ));
}
