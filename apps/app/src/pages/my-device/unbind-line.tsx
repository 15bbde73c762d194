import Link2Off from 'lucide-react/icons/link-2-off';
import { useState } from 'react';
import { inOneLine, recorderWords } from '../../i18n/failures.ts';
import { count } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { inARow } from '../../i18n/joined.ts';
import { useServices } from '../../page-kit/services-context.ts';
import type { LinkState } from '../../ports/recorder.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toast.tsx';
import { onlyOnRecorder } from './space.ts';

/** Unbinds the recorder, after a confirmation that lists what would not be transferred. */
export function UnbindLine({ link }: { link: Exclude<LinkState, { status: 'none' }> }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { recorder } = useServices();
  const show = useToast();
  const [confirming, setConfirming] = useState(false);
  const [busy, setBusy] = useState(false);
  const sessions = link.status === 'connected' ? link.recorder.sessions : null;
  const notTransferred = sessions && onlyOnRecorder(sessions).length;

  const unbind = async () => {
    setBusy(true);
    const answer = await recorder.unbind();
    setBusy(false);
    setConfirming(false);
    if (answer.ok) {
      show({ words: t('me.unbound', { name: link.name }) });
      return;
    }
    const words = recorderWords(t, answer.failure);
    const why = inOneLine(words);
    show({ words: t('me.unbindFailed', { why }), kind: 'error', sticky: words.sticky });
  };
  return (
    <div className="card">
      <button
        type="button"
        className="line"
        data-testid="unbind"
        onClick={() => {
          if (link.status === 'connected') setConfirming(true);
          else show({ words: t('me.unbindNeedsLink'), kind: 'error' });
        }}
      >
        <Link2Off size={20} aria-hidden="true" />
        <span className="line-words">{t('me.unbind')}</span>
      </button>
      {confirming && (
        <Confirm
          title={t('me.unbindTitle', { name: link.name })}
          go={t('me.unbind')}
          danger
          busy={busy}
          onCancel={() => setConfirming(false)}
          onGo={() => void unbind()}
        >
          {inARow(
            [
              t('me.unbindText'),
              notTransferred === null
                ? t('myDevice.unbindUnknown')
                : notTransferred === 0
                  ? t('myDevice.unbindAll')
                  : t('myDevice.unbindLeft', {
                      count: notTransferred,
                      formatted: count(notTransferred, language),
                    }),
            ],
            language,
          )}
        </Confirm>
      )}
    </div>
  );
}
