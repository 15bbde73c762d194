import { Dialog } from '@base-ui/react/dialog';
import X from 'lucide-react/icons/x';
import { useTranslation } from '../i18n/index.ts';
import { IconButton } from './button.tsx';
import type { SheetProps } from './sheet.tsx';
import './dialog.css';
import './sheet.css';

/** The open sheet. It closes on a tap outside, Escape, or the close button. */
export default function SheetPopup({ title, children, onClose }: SheetProps) {
  const { t } = useTranslation();
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="dialog-backdrop" />
        <Dialog.Popup className="dialog sheet">
          <div className="sheet-head">
            <Dialog.Title className="dialog-title display">{title}</Dialog.Title>
            <Dialog.Close
              render={
                <IconButton label={t('common.dismiss')}>
                  <X size={20} />
                </IconButton>
              }
            />
          </div>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
