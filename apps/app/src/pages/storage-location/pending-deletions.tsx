import type { CopyPlace } from '@linnet/sync';
import Timer from 'lucide-react/icons/timer';
import { useEffect, useState } from 'react';
import { formatSpokenDuration } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { Button } from '../../ui/button.tsx';

/** Refresh interval in milliseconds. Times are shown to the minute. */
const REFRESH_MS = 10_000;

/** Returns the current time in milliseconds since 1970, updated regularly. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Lists pending deletions in locations that were turned off, with their time and a button to cancel them. */
export function PendingDeletions({
  earliestDeletions,
  onUndo,
}: {
  earliestDeletions: Readonly<Record<CopyPlace, number | null>>;
  onUndo(place: CopyPlace): void;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const now = useNow();
  const pendingDeletions = (
    Object.entries(earliestDeletions) as [CopyPlace, number | null][]
  ).flatMap(([place, deletionTime]) =>
    deletionTime !== null && deletionTime > now ? [{ place, at: deletionTime }] : [],
  );
  return pendingDeletions.map(({ place, at }) => {
    return (
      <div className="line storage-pending" key={place} data-testid={`pending-${place}`}>
        <Timer size={20} aria-hidden="true" />
        <span className="line-words" role="status">
          <span>
            {t(`storage.location.pending.${place}`, {
              time: formatSpokenDuration(Math.ceil((at - now) / 60_000) * 60, language),
            })}
          </span>
        </span>
        <Button data-testid={`undo-${place}`} onClick={() => onUndo(place)}>
          {t('common.undo')}
        </Button>
      </div>
    );
  });
}
