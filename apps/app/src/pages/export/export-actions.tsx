import Download from 'lucide-react/icons/download';
import Lock from 'lucide-react/icons/lock';
import Printer from 'lucide-react/icons/printer';
import Share2 from 'lucide-react/icons/share-2';
import { useState } from 'react';
import { describeFailure, exportCode } from '../../i18n/failures.ts';
import { formatCount, formatPercentage } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { MembershipLink } from '../../page-kit/membership-link.tsx';
import { useMember, useServices } from '../../page-kit/services-context.ts';
import type { ExportChoice, ExportFailure, ExportProgress } from '../../ports/exports.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ProgressRing } from '../../ui/ring.tsx';
import { isForMembers } from './remembered-choice.ts';
import { useExport } from './use-export.ts';

const describedCodes = [
  'not_loaded',
  'gone',
  'no_sound',
  'offline',
  'refused',
  'storage_full',
  'not_audio',
  'transcript_arriving',
] as const;

function Failed({ failure, onRetry }: { failure: ExportFailure; onRetry(): void }) {
  const { t } = useTranslation();
  const { title, code } = failure;
  const messageKey = describedCodes.find((described) => described === code) ?? 'other';
  const reason =
    failure.failure && code === 'refused' ? describeFailure(t, failure.failure).message : null;
  return (
    <Notice
      message={
        title === '' && code === 'gone'
          ? t('detail.notFound')
          : t(`export.failed.${messageKey}.what`, { title })
      }
      detail={reason ?? t(`export.failed.${messageKey}.means`)}
      code={exportCode(code)}
      action={code === 'gone' ? undefined : <Button onClick={onRetry}>{t('common.retry')}</Button>}
    />
  );
}

/** Replaces the button for formats that require membership. */
function Locked({ label }: { label: string }) {
  const { t } = useTranslation();
  return (
    <p className="export-locked" role="status" data-testid="export-locked">
      <Lock size={20} role="img" aria-label={t('summary.forMembers')} />
      <span>{label}</span>
      <MembershipLink />
    </p>
  );
}

function Working({ progress, onCancel }: { progress: ExportProgress | null; onCancel(): void }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { step, number, of, fraction } = progress ?? {
    step: 'writing' as const,
    number: 1,
    of: 1,
    fraction: 0,
  };
  const percent = Math.floor(fraction * 100);
  const label = t(`export.${step}`, { percent: formatPercentage(percent, language) });
  return (
    <div className="export-working" data-testid="export-working">
      <ProgressRing percent={percent} label={label} />
      <span className="export-working-words tabular">
        <span>{label}</span>
        {of > 1 && (
          <span>
            {t('export.ofMany', {
              number: formatCount(number, language),
              of: formatCount(of, language),
            })}
          </span>
        )}
      </span>
      <Button data-testid="export-cancel" onClick={onCancel}>
        {t('common.cancel')}
      </Button>
    </div>
  );
}

/**
 * Shows the export actions and their progress.
 * @param emptyReason why there is nothing to export, or null
 */
export function ExportActions({
  ids,
  choice,
  emptyReason,
  onDone,
}: {
  ids: readonly string[];
  choice: ExportChoice;
  emptyReason: string | null;
  onDone(): void;
}) {
  const { t } = useTranslation();
  const { exports } = useServices();
  const isMember = useMember();
  const { work, save, share, shareFile, print, cancel } = useExport(ids, choice, onDone);
  const [isSharing, setIsSharing] = useState(false);

  if (emptyReason !== null) {
    return (
      <p className="export-hint" role="status" data-testid="export-nothing">
        {emptyReason}
      </p>
    );
  }
  if (!isMember && isForMembers(choice)) {
    return <Locked label={t('export.locked')} />;
  }
  if (work.status === 'working') return <Working progress={work.progress} onCancel={cancel} />;
  if (work.status === 'ready') {
    const { exported } = work;
    return (
      <div className="export-buttons">
        <p className="export-ready" role="status">
          {t('export.ready', { name: exported.file.name })}
        </p>
        <Button
          variant="primary"
          wide
          icon={<Share2 size={20} />}
          onClick={() => void shareFile(exported)}
        >
          {t('export.shareNow')}
        </Button>
      </div>
    );
  }
  const isPrinted = choice.what === 'text' && choice.text === 'pdf';
  return (
    <>
      {work.status === 'failed' && (
        <Failed failure={work.failure} onRetry={() => void (isPrinted ? print() : save())} />
      )}
      {isSharing && !isMember && <Locked label={t('export.shareLocked')} />}
      <div className="export-buttons">
        {exports.canShare && !isPrinted && (
          <Button
            wide
            data-testid="export-share"
            icon={isMember ? <Share2 size={20} /> : <Lock size={18} />}
            onClick={() => (isMember ? void share() : setIsSharing(true))}
          >
            {t('export.share')}
          </Button>
        )}
        {isPrinted ? (
          <Button
            wide
            variant="primary"
            data-testid="export-print"
            icon={<Printer size={20} />}
            onClick={() => void print()}
          >
            {t('export.print')}
          </Button>
        ) : (
          <Button
            wide
            variant="primary"
            data-testid="export-save"
            icon={<Download size={20} />}
            onClick={() => void save()}
          >
            {t('export.save')}
          </Button>
        )}
      </div>
    </>
  );
}
