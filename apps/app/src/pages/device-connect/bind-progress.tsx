import { codes } from '@linnet/contract/codes';
import Check from 'lucide-react/icons/check';
import X from 'lucide-react/icons/x';
import { useEffect, useState } from 'react';
import { GoLink } from '../../app-shell/navigation.tsx';
import { paths } from '../../app-shell/pages.ts';
import { recorderWords } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import type { BindStep, FoundRecorder, RecorderFailure } from '../../services.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RecorderDrawing } from '../../ui/recorder.tsx';

const steps: readonly Exclude<BindStep, 'done'>[] = [
  'connecting',
  'checking',
  'confirming',
  'binding',
];

/** Copies the serial of a recorder the server does not know. @returns it, once it is on the clipboard */
function useSerialCopied(failure: RecorderFailure): string | null {
  const [copied, setCopied] = useState<string | null>(null);
  const unknown =
    failure.kind === 'server' &&
    failure.failure.kind === 'server' &&
    failure.failure.code === codes.deviceNotRegistered;
  const sn = unknown ? failure.sn : null;
  useEffect(() => {
    if (!sn) return;
    navigator.clipboard?.writeText(sn).then(
      () => setCopied(sn),
      // Not allowed here: the sentence with the serial on screen remains.
      () => setCopied(null),
    );
  }, [sn]);
  return copied;
}

function Failed({
  failure,
  onRetry,
  onOther,
}: {
  failure: RecorderFailure;
  onRetry(): void;
  onOther(): void;
}) {
  const { t } = useTranslation();
  const words = recorderWords(t, failure);
  const copied = useSerialCopied(failure);
  return (
    <Notice
      what={words.what}
      means={words.todo}
      code={words.code}
      action={
        <>
          <Button onClick={onRetry}>{t('common.retry')}</Button>
          <Button look="quiet" onClick={onOther}>
            {t('connect.otherWay')}
          </Button>
        </>
      }
    >
      {copied && <p>{t('connect.serialCopied', { sn: copied })}</p>}
    </Notice>
  );
}

/** Binding, step by step: in progress, done, or stopped with the reason and a remedy. */
export function BindProgress({
  recorder,
  step,
  failure,
  onRetry,
  onOther,
}: {
  recorder: FoundRecorder;
  step: BindStep;
  failure: RecorderFailure | null;
  onRetry(): void;
  onOther(): void;
}) {
  const { t } = useTranslation();
  const done = step === 'done' && !failure;
  const at = step === 'done' ? steps.length : steps.indexOf(step);
  const title = failure
    ? t('connect.failed')
    : done
      ? t('connect.success', { name: recorder.name })
      : t('connect.binding', { name: recorder.name });
  return (
    <div
      className="bind"
      data-testid="bind-status"
      data-step={failure ? 'failed' : step}
      data-failed-step={failure ? step : undefined}
    >
      <div className="connect-hero" role="status">
        <RecorderDrawing face={done ? 'bound' : failure ? 'off' : 'searching'} />
        <h2 className="display">{title}</h2>
        {done && <p>{t('connect.successHint')}</p>}
      </div>
      {failure && <Failed failure={failure} onRetry={onRetry} onOther={onOther} />}
      {done ? (
        <div className="connect-actions" data-testid="bind-done">
          <GoLink
            to={paths.files}
            way="pop"
            replace
            className="button"
            data-look="primary"
            data-testid="bind-to-files"
          >
            {t('connect.toFiles')}
          </GoLink>
          <GoLink to={paths.deviceFiles} replace className="button" data-look="quiet">
            {t('connect.toSessions')}
          </GoLink>
        </div>
      ) : (
        <ol className="card bind-steps">
          {steps.map((known, index) => (
            <li
              key={known}
              className="line"
              data-done={index < at || undefined}
              data-current={index === at || undefined}
              aria-current={index === at ? 'step' : undefined}
            >
              <span className="bind-mark">
                {index < at ? (
                  <Check size={18} role="img" aria-label={t('steps.done')} />
                ) : index === at && failure ? (
                  <X size={18} role="img" aria-label={t('connect.failed')} />
                ) : index === at ? (
                  <span className="bind-spinner" />
                ) : null}
              </span>
              {t(`connect.step.${known}`)}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
