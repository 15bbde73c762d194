import type { CopyPlace, CopyState, Deletion } from '@linnet/sync';
import ShieldCheck from 'lucide-react/icons/shield-check';
import Trash2 from 'lucide-react/icons/trash-2';
import { formatLongDate } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { Section } from '../../../page-kit/page.tsx';
import type { OpenRecord } from '../open-record.ts';

const places = ['recorder', 'phone', 'cloud'] as const satisfies readonly CopyPlace[];

/** Returns a copy's digest, or null if it is unknown. */
function getDigest(copy: CopyState): string | null {
  return copy.status === 'verified' || copy.status === 'stored' ? copy.sha256 : null;
}

/** Shows a recording's receipt: when each copy was verified, and which copies were deleted and why. */
export function ReceiptSection({ record }: { record: OpenRecord }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { since, deletions } = record.receipt;
  const presentCopies = places.filter((place) => record.copies[place].status !== 'absent');
  const deletionText = (deletion: Deletion) =>
    deletion.survivor
      ? t('audio.receipt.because', {
          reason: t(`audio.receipt.reasons.${deletion.because}`),
          place: t(`steps.places.${deletion.survivor.place}`),
        })
      : t(`audio.receipt.reasons.${deletion.because}`);
  if (presentCopies.length === 0 && deletions.length === 0) return null;
  return (
    <Section title={t('audio.receipt.title')}>
      {presentCopies.map((place) => {
        const copy = record.copies[place];
        const digest = getDigest(copy);
        const verifiedAt = since[place];
        const state = copy.status === 'verified' ? 'verified' : 'stored';
        return (
          <div className="line receipt-line" key={place} data-testid={`receipt-${place}`}>
            <ShieldCheck size={20} aria-hidden="true" />
            <span className="line-words">
              <span>{t(`steps.places.${place}`)}</span>
              {verifiedAt && (
                <span>
                  {t(`audio.receipt.${state}`, { date: formatLongDate(verifiedAt, language) })}
                </span>
              )}
              {digest && <code className="receipt-digest" dir="ltr">{`SHA-256 ${digest}`}</code>}
            </span>
          </div>
        );
      })}
      {deletions.map((deletion) => (
        <div
          className="line receipt-line"
          key={`${deletion.place} ${deletion.at}`}
          data-testid="receipt-deletion"
        >
          <Trash2 size={20} aria-hidden="true" />
          <span className="line-words">
            <span>
              {t('audio.receipt.deleted', {
                place: t(`steps.places.${deletion.place}`),
                date: formatLongDate(deletion.at, language),
              })}
            </span>
            <span>{deletionText(deletion)}</span>
          </span>
        </div>
      ))}
    </Section>
  );
}
