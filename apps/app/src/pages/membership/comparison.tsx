import { limits } from '@linnet/contract/limits';
import Check from 'lucide-react/icons/check';
import Minus from 'lucide-react/icons/minus';
import { formatCount } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { useServerInfo } from '../../page-kit/services-context.ts';

type RowName =
  | 'record'
  | 'minutes'
  | 'transcribe'
  | 'cloud'
  | 'structures'
  | 'noise'
  | 'exports'
  | 'share'
  | 'map'
  | 'calendar';

function Mark({ has }: { has: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      {has ? (
        <Check className="compare-has" size={20} aria-hidden="true" />
      ) : (
        <Minus size={20} aria-hidden="true" />
      )}
      <span className="visually-hidden">{t(has ? 'vip.included' : 'vip.notIncluded')}</span>
    </>
  );
}

/** Compares the features of the free plan and the membership. */
export function Comparison() {
  const { t } = useTranslation();
  const language = useLanguage();
  const serverInfo = useServerInfo();
  const { newAccount, vipPerMonth } = limits.minutes;
  const structures = serverInfo?.analysis.structures.length ?? 1;
  const rows: readonly (readonly [RowName, string | boolean, string | boolean])[] = [
    ['record', true, true],
    [
      'minutes',
      t('vip.cells.once', { minutes: formatCount(newAccount, language) }),
      t('vip.cells.monthly', { minutes: formatCount(vipPerMonth, language) }),
    ],
    ['transcribe', t('vip.cells.asked'), t('vip.cells.byItself')],
    ['cloud', t('vip.cells.asked'), t('vip.cells.byItself')],
    ['structures', formatCount(1, language), formatCount(structures, language)],
    ['exports', t('vip.cells.plain'), t('vip.cells.all')],
    ['share', false, true],
    ['noise', false, true],
    ['map', false, true],
    ['calendar', false, true],
  ];
  const cell = (value: string | boolean) =>
    typeof value === 'string' ? value : <Mark has={value} />;
  return (
    <section className="vip-section">
      <h2 className="display" id="compare">
        {t('vip.compare')}
      </h2>
      <table className="compare" aria-labelledby="compare">
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{t('vip.feature')}</span>
            </th>
            <th scope="col">{t('vip.free')}</th>
            <th scope="col" className="compare-vip">
              {t('vip.vip')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, free, vip]) => (
            <tr key={name}>
              <th scope="row">{t(`vip.rows.${name}`)}</th>
              <td>{cell(free)}</td>
              <td className="compare-vip">{cell(vip)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
