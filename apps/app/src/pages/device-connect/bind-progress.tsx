import { codes } from '@linnet/contract/codes';
import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import X from 'lucide-react/icons/x';
import { useEffect, useState } from 'react';
import { describeRecorderFailure } from '../../i18n/failures.ts';
import { isolate } from '../../i18n/format.ts';
import { useTranslation } from '../../i18n/index.ts';
import { PageLink } from '../../page-kit/navigation.tsx';
import { paths } from '../../page-kit/paths.ts';
import type { AddedKind, BindStep, FoundRecorder, RecorderFailure } from '../../ports/recorder.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useCopy } from '../../ui/copy.ts';
import { Notice } from '../../ui/notice.tsx';
import { RecorderDrawing } from '../../ui/recorder.tsx';

/**
 * Returns the steps of binding, in order.
 * @param needsLongPress whether the user confirms with a long press
 */
function bindSteps(needsLongPress: boolean): readonly Exclude<BindStep, 'done'>[] {
  return ['connecting', 'checking', needsLongPress ? 'holding' : 'confirming', 'binding'];
}

/** Returns the recorder's serial number if binding failed because the server doesn't know it, or null. */
function unknownSerial(failure: RecorderFailure): string | null {
  const isUnknown =
    failure.kind === 'server' &&
    failure.failure.kind === 'server' &&
    failure.failure.code === codes.deviceNotRegistered;
  return isUnknown ? failure.sn : null;
}

/** Shows the serial number to send to the server's operator, and copies it automatically if possible. */
function SerialNumber({ sn }: { sn: string }) {
  const { t } = useTranslation();
  const copy = useCopy();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    // The clipboard is unavailable over plain HTTP, and some browsers require a user gesture, so keep the copy button.
    navigator.clipboard?.writeText(sn).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  }, [sn]);
  if (isCopied) return <p>{t('connect.serialCopied', { sn: isolate(sn) })}</p>;
  return (
    <p>
      {t('common.named', { what: t('myDevice.serial'), which: isolate(sn) })}
      <IconButton label={t('myDevice.copySerial')} onClick={() => void copy(sn)}>
        <Copy size={18} />
      </IconButton>
    </p>
  );
}

function BindFailed({
  failure,
  onRetry,
  onOther,
}: {
  failure: RecorderFailure;
  onRetry(): void;
  onOther(): void;
}) {
  const { t } = useTranslation();
  const failureText = describeRecorderFailure(t, failure);
  const sn = unknownSerial(failure);
  return (
    <Notice
      message={failureText.message}
      detail={failureText.advice}
      code={failureText.code}
      action={
        <>
          <Button onClick={onRetry}>{t('common.retry')}</Button>
          <Button variant="quiet" onClick={onOther}>
            {t('connect.otherWay')}
          </Button>
        </>
      }
    >
      {sn && <SerialNumber sn={sn} />}
    </Notice>
  );
}

/** The hints shown once a recorder has been added. */
const doneHints = {
  linnet: 'successHint',
  omi: 'omiNotice',
  pocket: 'pocketNotice',
  'this-device': 'successHint',
} as const;

/** Shows the progress of binding step by step: in progress, done, or failed with the reason and a remedy. */
export function BindProgress({
  recorder,
  step,
  kind,
  failure,
  onRetry,
  onOther,
}: {
  recorder: FoundRecorder;
  step: BindStep;
  /** The kind of the recorder once it's added. */
  kind: AddedKind;
  failure: RecorderFailure | null;
  onRetry(): void;
  onOther(): void;
}) {
  const { t } = useTranslation();
  const [needsLongPress, setNeedsLongPress] = useState(step === 'holding');
  // The recorder chooses the confirmation gesture when binding is requested. From then on, the long-press step stays in
  // the list.
  if (!needsLongPress && step === 'holding') setNeedsLongPress(true);
  const steps = bindSteps(needsLongPress);
  const isConfirming = !failure && (step === 'confirming' || step === 'holding');
  const isDone = step === 'done' && !failure;
  const currentIndex = step === 'done' ? steps.length : steps.indexOf(step);
  const title = failure
    ? t('connect.failed')
    : isDone
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
        <RecorderDrawing face={isDone ? 'bound' : failure ? 'off' : 'searching'} />
        <h2 className="display">{title}</h2>
        {isDone && <p>{t(`connect.${doneHints[kind]}`)}</p>}
      </div>
      {failure && <BindFailed failure={failure} onRetry={onRetry} onOther={onOther} />}
      {isDone ? (
        <div className="connect-actions" data-testid="bind-done">
          {kind === 'pocket' && (
            <PageLink
              to={paths.myDevice}
              replace
              className="button"
              data-look="primary"
              data-testid="bind-to-recorder"
            >
              {t('upgrade.toRecorder')}
            </PageLink>
          )}
          <PageLink
            to={paths.files}
            transition="pop"
            replace
            className="button"
            data-look={kind === 'pocket' ? 'quiet' : 'primary'}
            data-testid="bind-to-files"
          >
            {t('connect.toFiles')}
          </PageLink>
          {kind === 'linnet' && (
            <PageLink to={paths.deviceFiles} replace className="button" data-look="quiet">
              {t('connect.toSessions')}
            </PageLink>
          )}
        </div>
      ) : (
        <>
          <ol className="card bind-steps">
            {steps.map((stepName, index) => (
              <li
                key={stepName}
                className="line"
                data-done={index < currentIndex || undefined}
                data-current={index === currentIndex || undefined}
                aria-current={index === currentIndex ? 'step' : undefined}
              >
                <span className="bind-mark">
                  {index < currentIndex ? (
                    <Check size={18} role="img" aria-label={t('steps.done')} />
                  ) : index === currentIndex && failure ? (
                    <X size={18} role="img" aria-label={t('connect.failed')} />
                  ) : index === currentIndex ? (
                    <span className="bind-spinner" />
                  ) : null}
                </span>
                {t(`connect.step.${stepName}`)}
              </li>
            ))}
          </ol>
          {isConfirming && recorder.controls && (
            <a
              className="button"
              data-look="plain"
              data-testid="recorder-controls"
              href={recorder.controls}
              target="_blank"
              rel="noreferrer"
            >
              {t('connect.openControls')}
            </a>
          )}
        </>
      )}
    </div>
  );
}
