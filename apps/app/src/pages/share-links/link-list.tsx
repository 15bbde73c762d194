import type { ShareLink } from '@linnet/contract';
import Copy from 'lucide-react/icons/copy';
import Trash2 from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import { describeFailure } from '../../i18n/failures.ts';
import { formatCount, formatDay, formatEntryDate, formatList } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { recordingName } from '../../i18n/record-name.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { IconButton } from '../../ui/button.tsx';
import { useCopy } from '../../ui/copy.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toast.tsx';
import './share-links.css';

/** Lists links with their views, each with buttons to copy and revoke it. */
export function LinkList({
  links,
  label,
  namesRecordings,
  onChanged,
}: {
  links: readonly ShareLink[];
  label: string;
  /** Whether the links belong to several recordings. */
  namesRecordings: boolean;
  onChanged(): Promise<void>;
}) {
  const { t } = useTranslation();
  const { shareLinks } = useServices();
  const show = useToast();
  const copy = useCopy();
  const [revoking, setRevoking] = useState<ShareLink | null>(null);
  const [isBusy, setBusy] = useState(false);

  const revoke = async (link: ShareLink) => {
    setBusy(true);
    const result = await shareLinks.revoke(link.id);
    if (result.ok) show({ message: t('shareLinks.revoked') });
    else show({ message: describeFailure(t, result.failure).message, kind: 'error' });
    await onChanged();
    setBusy(false);
    setRevoking(null);
  };

  return (
    <>
      <ul className="card" aria-label={label}>
        {links.map((link) => (
          <li className="line share-line" key={link.id} data-testid="share-link">
            <LinkText link={link} namesRecording={namesRecordings} />
            {link.status !== 'expired' && (
              <IconButton label={t('shareLinks.copy')} onClick={() => void copy(link.url)}>
                <Copy size={18} />
              </IconButton>
            )}
            <IconButton
              label={t('shareLinks.revoke')}
              data-testid="revoke-share-link"
              onClick={() => setRevoking(link)}
            >
              <Trash2 size={18} />
            </IconButton>
          </li>
        ))}
      </ul>
      {revoking && (
        <Confirm
          title={t('shareLinks.revokeTitle')}
          confirmLabel={t('shareLinks.revoke')}
          danger
          busy={isBusy}
          onCancel={() => setRevoking(null)}
          onConfirm={() => void revoke(revoking)}
        >
          {t('shareLinks.revokeText')}
        </Confirm>
      )}
    </>
  );
}

/** A link's recording, parts, expiry and views. */
function LinkText({ link, namesRecording }: { link: ShareLink; namesRecording: boolean }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const names = link.parts.map((part) =>
    part === 'audio' ? t('export.whats.sound') : t(`export.parts.${part}`),
  );
  const parts = formatList(names, language);
  const name = recordingName(
    { title: link.title, ai_title: '', create_date: link.recorded_at },
    t,
    language,
  );
  return (
    <span className="line-words">
      <bdi>{namesRecording ? name : parts}</bdi>
      <span>
        {namesRecording && (
          <>
            {parts}
            <br />
          </>
        )}
        <LinkState link={link} />
      </span>
      <LinkViews link={link} />
    </span>
  );
}

function LinkState({ link }: { link: ShareLink }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { status, expires_at: end } = link;
  const facts = [
    ...(status === 'expired' ? [t('shareLinks.expired')] : []),
    ...(status === 'binned' ? [t('shareLinks.binned')] : []),
    ...(status !== 'expired' && end !== null
      ? [t('keys.expires', { date: formatDay(end, language) })]
      : []),
    ...(end === null ? [t('keys.lifetime.never')] : []),
    ...(link.has_password ? [t('shareLinks.locked')] : []),
  ];
  return facts.join(' · ');
}

/** The number of views, with the times of the latest. */
function LinkViews({ link }: { link: ShareLink }) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (link.last_viewed_at === null) return <span>{t('shareLinks.unviewed')}</span>;
  return (
    <details className="share-views">
      <summary>
        {t('shareLinks.views', {
          count: link.view_count,
          formatted: formatCount(link.view_count, language),
          date: formatEntryDate(link.last_viewed_at, language),
        })}
      </summary>
      <ul>
        {link.views.map((time, number) => (
          // Several views can have the same time.
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is only replaced as a whole.
          <li key={`${number} ${time}`}>{formatEntryDate(time, language)}</li>
        ))}
      </ul>
    </details>
  );
}
