import { AlertDialog } from '@base-ui/react/alert-dialog';
import AudioLines from 'lucide-react/icons/audio-lines';
import Ellipsis from 'lucide-react/icons/ellipsis';
import ListChecks from 'lucide-react/icons/list-checks';
import MoveHorizontal from 'lucide-react/icons/move-horizontal';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import SearchIcon from 'lucide-react/icons/search';
import { useRef } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { Button } from '../../ui/button.tsx';
import '../../ui/dialog.css';
import './guide-card.css';

/** Hints for touch, or for pointer and keyboard. */
const hints = {
  touch: [
    ['trace', AudioLines],
    ['swipe', MoveHorizontal],
    ['hold', ListChecks],
    ['pull', RefreshCw],
  ],
  pointer: [
    ['trace', AudioLines],
    ['menu', Ellipsis],
    ['click', ListChecks],
    ['slash', SearchIcon],
  ],
} as const;

/** Introduces the list's features in a card. */
export default function GuideCard({ onDone }: { onDone(): void }) {
  const { t } = useTranslation();
  const goButton = useRef<HTMLButtonElement>(null);
  const kind = matchMedia('(pointer: coarse)').matches ? 'touch' : 'pointer';
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onDone()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="dialog-backdrop" />
        <AlertDialog.Popup className="dialog guide" initialFocus={goButton} data-testid="guide">
          <AlertDialog.Title className="dialog-title display">{t('guide.title')}</AlertDialog.Title>
          <ul className="guide-hints">
            {hints[kind].map(([name, Icon]) => (
              <li key={name}>
                <span className="guide-icon">
                  <Icon size={22} aria-hidden="true" />
                </span>
                <span>
                  <strong>{t(`guide.${name}.what`)}</strong>
                  <span className="guide-means">{t(`guide.${name}.means`)}</span>
                </span>
              </li>
            ))}
          </ul>
          <div className="dialog-actions">
            <Button ref={goButton} variant="primary" wide data-testid="guide-done" onClick={onDone}>
              {t('guide.done')}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
