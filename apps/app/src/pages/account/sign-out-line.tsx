import LogOut from 'lucide-react/icons/log-out';
import { useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { Confirm } from '../../ui/dialog.tsx';

/** Signs the user out after a confirmation that lists what stays on the device. */
export function SignOutLine() {
  const { t } = useTranslation();
  const { account } = useServices();
  const [isConfirming, setConfirming] = useState(false);
  const [isBusy, setBusy] = useState(false);
  return (
    <>
      <button
        type="button"
        className="line"
        data-testid="sign-out"
        onClick={() => setConfirming(true)}
      >
        <LogOut className="turns" size={20} aria-hidden="true" />
        <span className="line-words">
          <span>{t('me.signOut')}</span>
        </span>
      </button>
      {isConfirming && (
        <Confirm
          title={t('me.signOutTitle')}
          confirmLabel={t('me.signOut')}
          busy={isBusy}
          onCancel={() => setConfirming(false)}
          onConfirm={() => {
            setBusy(true);
            void account.signOut().finally(() => {
              setBusy(false);
              setConfirming(false);
            });
          }}
        >
          {t('me.signOutText')}
        </Confirm>
      )}
    </>
  );
}
