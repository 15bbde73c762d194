import type { CallFailure } from '@linnet/contract/client';
import { describeFailure } from '../i18n/failures.ts';
import { formatCount } from '../i18n/format.ts';
import { useLanguage, useTranslation } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import './list-parts.css';

/** Shown when a list fails to load. */
export function ListFailed({ failure, onRetry }: { failure: CallFailure; onRetry(): void }) {
  const { t } = useTranslation();
  const { message, code } = describeFailure(t, failure);
  return (
    <Notice
      message={t('orders.failed')}
      detail={message}
      code={code}
      action={<Button onClick={onRetry}>{t('common.retry')}</Button>}
    />
  );
}

/** Shows how many entries are loaded, and a button that loads more. */
export function LoadMore({
  shown,
  total,
  more,
  onMore,
}: {
  shown: number;
  total: number;
  more: 'idle' | 'waiting' | CallFailure;
  onMore(): void;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (shown >= total) return null;
  if (typeof more !== 'string') return <ListFailed failure={more} onRetry={onMore} />;
  return (
    <div className="record-more">
      <p className="small-print tabular">
        {t('orders.shown', {
          shown: formatCount(shown, language),
          total: formatCount(total, language),
        })}
      </p>
      <Button busy={more === 'waiting'} data-testid="more" onClick={onMore}>
        {t('orders.more')}
      </Button>
    </div>
  );
}
