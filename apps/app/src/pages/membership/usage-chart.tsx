import { branchColors } from '@linnet/mind-map/colors';
import { formatCount, formatDay, formatShortDay } from '../../i18n/format.ts';
import { getDirection, useLanguage, useTranslation } from '../../i18n/index.ts';
import { useLanguageName } from '../../i18n/language-name.ts';
import type { DailyUsage, UsageTotals } from './usage.ts';

/** Dimensions in SVG user units. */
const height = 120;
const step = 12;
const bar = 8;

/** Returns the top of the scale: the maximum, rounded up to a round number of minutes. */
function scaleTop(maxMinutes: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, maxMinutes)));
  return ([1, 2, 5, 10].find((factor) => factor * power >= maxMinutes) ?? 10) * power;
}

function Bars({
  days,
  top,
  getColor,
}: {
  days: readonly DailyUsage[];
  top: number;
  getColor(language: string): string;
}) {
  const language = useLanguage();
  const width = days.length * step;
  const isMirrored = getDirection(language) === 'rtl';
  return (
    <svg
      className="used-bars"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      transform={isMirrored ? 'scale(-1 1)' : undefined}
    >
      {[0, 0.5, 1].map((line) => (
        <line
          key={line}
          className="used-line"
          x1="0"
          x2={width}
          y1={height * line}
          y2={height * line}
        />
      ))}
      {days.map(({ day, byLanguage }, index) => {
        let stackHeight = 0;
        return byLanguage.map(({ language: spoken, minutes }) => {
          const barHeight = (minutes / top) * height;
          stackHeight += barHeight;
          return (
            <rect
              key={`${day} ${spoken}`}
              x={index * step + (step - bar) / 2}
              y={height - stackHeight}
              width={bar}
              height={barHeight}
              fill={getColor(spoken)}
            />
          );
        });
      })}
    </svg>
  );
}

/** Shows the chart's data as a table for screen readers. */
function UsageTable({ days }: { days: readonly DailyUsage[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const languageName = useLanguageName();
  return (
    <details className="used-table">
      <summary>{t('used.asTable')}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('used.day')}</th>
            <th scope="col">{t('used.language')}</th>
            <th scope="col">{t('used.minutes')}</th>
          </tr>
        </thead>
        <tbody>
          {days.flatMap(({ day, byLanguage }) =>
            byLanguage.map(({ language: spoken, minutes }) => (
              <tr key={`${day} ${spoken}`} data-testid="used-row">
                <th scope="row">{formatDay(day, language)}</th>
                <td>{languageName(spoken)}</td>
                <td className="tabular">{formatCount(minutes, language)}</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </details>
  );
}

/** Shows minutes by day, stacked by language, with each language's total. */
export function UsageChart({ used }: { used: UsageTotals }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const languageName = useLanguageName();
  const { days, languages } = used;
  const colors = new Map(
    languages.map(({ language: spoken }, index) => [
      spoken,
      `var(--branch-${index % branchColors})`,
    ]),
  );
  const getColor = (spoken: string) => colors.get(spoken) ?? 'var(--branch-0)';
  const top = scaleTop(Math.max(...days.map(({ minutes }) => minutes)));
  const first = days[0];
  const last = days.at(-1);
  return (
    <figure className="card used" data-testid="used-chart">
      <figcaption>{t('used.byDay')}</figcaption>
      {used.minutes === 0 ? (
        <p className="small-print">{t('used.quiet')}</p>
      ) : (
        <>
          <div className="used-plot">
            <span className="used-top tabular" aria-hidden="true">
              {formatCount(top, language)}
            </span>
            <Bars days={days} top={top} getColor={getColor} />
            <div className="used-axis tabular" aria-hidden="true">
              <span>{first && formatShortDay(first.day, language)}</span>
              <span>{last && formatShortDay(last.day, language)}</span>
            </div>
          </div>
          <h3>{t('used.byLanguage')}</h3>
          <ul className="used-languages">
            {languages.map(({ language: spoken, minutes }) => (
              <li key={spoken} data-testid="used-language">
                <span>{languageName(spoken)}</span>
                <span className="tabular">
                  {t('vip.minutes', { count: minutes, formatted: formatCount(minutes, language) })}
                </span>
                <span className="used-share" aria-hidden="true">
                  <span
                    style={{
                      inlineSize: `${(100 * minutes) / used.minutes}%`,
                      background: getColor(spoken),
                    }}
                  />
                </span>
              </li>
            ))}
          </ul>
          <UsageTable days={days} />
        </>
      )}
    </figure>
  );
}
