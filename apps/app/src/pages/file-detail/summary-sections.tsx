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
  player,
}: {
  sections: readonly SummarySection[];
  player: Player;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  return sections.map(({ heading, points }) => (
    <section key={heading}>
      <h2 dir="auto">{isHeading(heading) ? t(`summary.headings.${heading}`) : heading}</h2>
      <ul className="summary-points">
        {points.map(({ key, text, time }) => (
          <li key={key}>
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
