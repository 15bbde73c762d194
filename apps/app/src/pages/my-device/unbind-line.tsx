import Link2Off from 'lucide-react/icons/link-2-off';
import { useState } from 'react';
import { describeRecorderFailure, formatFailure } from '../../i18n/failures.ts';
import { formatCount } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { joinSentences } from '../../i18n/joined.ts';
import { useServices } from '../../page-kit/services-context.ts';
import type { LinkState } from '../../ports/recorder.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toast.tsx';
import { onlyOnRecorder } from './space.ts';

/** Unbinds the recorder after a confirmation that says how many sessions haven't been transferred. */
export function UnbindLine({ link }: { link: Exclude<LinkState, { status: 'none' }> }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { recorder } = useServices();
  const show = useToast();
  const [isConfirming, setConfirming] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const sessions = link.status === 'connected' ? link.recorder.sessions : null;
  const notTransferred = sessions && onlyOnRecorder(sessions).length;

  const unbind = async () => {
    setBusy(true);
    const result = await recorder.unbind();
    setBusy(false);
    setConfirming(false);
    if (result.ok) {
      show({ message: t('me.unbound', { name: link.name }) });
      return;
    }
    const failureText = describeRecorderFailure(t, result.failure);
    const reason = formatFailure(failureText);
    show({
      message: t('me.unbindFailed', { why: reason }),
      kind: 'error',
      sticky: failureText.sticky,
    });
  };
  return (
    <div className="card">
      <button
        type="button"
        className="line"
        data-testid="unbind"
        onClick={() => {
          if (link.status === 'connected') setConfirming(true);
          else show({ message: t('me.unbindNeedsLink'), kind: 'error' });
        }}
      >
        <Link2Off size={20} aria-hidden="true" />
        <span className="line-words">{t('me.unbind')}</span>
      </button>
      {isConfirming && (
        <Confirm
          title={t('me.unbindTitle', { name: link.name })}
          confirmLabel={t('me.unbind')}
          danger
          busy={isBusy}
          onCancel={() => setConfirming(false)}
          onConfirm={() => void unbind()}
        >
          {joinSentences(
            [
              t('me.unbindText'),
              notTransferred === null
                ? t('myDevice.unbindUnknown')
                : notTransferred === 0
                  ? t('myDevice.unbindAll')
                  : t('myDevice.unbindLeft', {
                      count: notTransferred,
                      formatted: formatCount(notTransferred, language),
                    }),
            ],
            language,
          )}
        </Confirm>
      )}
    </div>
  );
}
