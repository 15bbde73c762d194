import type { CallFailure } from '@linnet/contract/client';
import { limits } from '@linnet/contract/limits';
import { isCapturedSerial, isTrans } from '@linnet/sync';
import Check from 'lucide-react/icons/check';
import { useState } from 'react';
import { describeFailure } from '../../../i18n/failures.ts';
import { formatClock, formatPercentage } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { useServerInfo, useServices, useStore } from '../../../page-kit/services-context.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ProgressRing } from '../../../ui/ring.tsx';
import type { RowState } from '../../files/row-state.ts';
import { describeProblem, describeState } from '../../files/state-descriptions.ts';
import type { OpenRecord } from '../open-record.ts';
import { RecordingWords } from './recording-words.tsx';
import { RecordingLanguage } from './spoken-language.tsx';
import { TaskSteps } from './task-steps.tsx';
import { TranscribeForm } from './transcribe-form.tsx';
import './transcript-progress.css';

const places = ['recorder', 'phone', 'cloud', 'transcript'] as const;

/** Returns the current stage: 1 for recorder to phone, 2 for phone to cloud, 3 for transcription. */
function currentStage(state: RowState): { stage: 1 | 2 | 3; percent: number | null } {
  switch (state.kind) {
    case 'on-recorder':
    case 'recording':
    case 'interrupted':
      return { stage: 1, percent: null };
    case 'fetching':
      return { stage: 1, percent: state.percent };
    case 'local':
      return { stage: 2, percent: null };
    case 'uploading':
      return { stage: 2, percent: state.percent };
    case 'cloud':
    case 'done':
      return { stage: 3, percent: null };
    case 'transcribing':
      return { stage: 3, percent: state.percent };
    case 'trouble':
      return { stage: state.step === 'fetch' ? 1 : state.step === 'upload' ? 2 : 3, percent: null };
  }
}

function ProblemNotice({
  record,
  state,
}: {
  record: OpenRecord;
  state: Extract<RowState, { kind: 'trouble' }>;
}) {
  const { t } = useTranslation();
  const { library } = useServices();
  const { message, details } = describeProblem(t, state);
  const server = state.failure && describeFailure(t, state.failure);
  return (
    <Notice
      message={message}
      detail={details}
      code={server ? server.code : `${state.step} ${state.code}`}
      action={
        <>
          {/* After a failed transcription, the form below offers a retry, possibly in a different language. */}
          {state.step !== 'transcribe' && (
            <Button onClick={() => void library.retry(record.id)}>{t('common.retry')}</Button>
          )}
          {record.is_trans === isTrans.translated && <CancelRequest record={record} />}
        </>
      }
    >
      {server && <p>{server.message}</p>}
    </Notice>
  );
}

/** Cancels a transcription request that hasn't been sent to the server yet. */
export function CancelRequest({ record }: { record: OpenRecord }) {
  const { t } = useTranslation();
  const { library } = useServices();
  return (
    <Button data-testid="call-off" onClick={() => void library.cancelRequest(record.id)}>
      {t('common.cancel')}
    </Button>
  );
}

/** Cancels a transcription that is in progress on the server. */
function CancelTranscription({ record }: { record: OpenRecord }) {
  const { t } = useTranslation();
  const { library } = useServices();
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const cancel = async () => {
    const result = await library.cancelTranscription(record.id);
    setFailure(result.ok ? null : result.failure);
  };
  return (
    <div className="transcribe-actions">
      <Button data-testid="cancel-transcription" onClick={() => void cancel()}>
        {t('steps.cancelTranscription')}
      </Button>
      {failure && <p role="alert">{describeFailure(t, failure).message}</p>}
    </div>
  );
}

/** Returns whether the recording has no transcript and nothing is in progress. */
const isIdle = ({ kind }: RowState) => kind === 'cloud' || kind === 'local';

/** Returns whether recordings are uploaded automatically: for members, and for everyone on servers without billing. */
function useAutomaticUploads(): boolean {
  const serverInfo = useServerInfo();
  const membership = useStore(useServices().account.membership);
  return membership?.isVip === true || serverInfo?.billing === 'off';
}

/** Shows a recording's progress toward its transcript: current stage, percentage and next step. */
export function TranscriptProgress({ record, state }: { record: OpenRecord; state: RowState }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const link = useStore(useServices().recorder.link);
  const { stage, percent } = currentStage(state);
  const isPaused = state.kind === 'fetching' && state.paused && link.status !== 'connected';
  // After a failed transcription, the user can try a different language.
  const hasTranscriptionFailed = state.kind === 'trouble' && state.step === 'transcribe';
  const initialLanguage = record.requestedLanguage ?? record.task?.language;
  const isRequested = isIdle(state) && record.requestedLanguage !== null;
  const isAutomatic = useAutomaticUploads();
  // The server merges the transcripts of the parts as soon as it has this recording.
  const isMerging = record.mergedFrom !== null && state.kind !== 'transcribing';
  const canRequest = state.kind === 'cloud' || (state.kind === 'local' && !isAutomatic);
  const isBeforeTranscription = stage < 3 || state.kind === 'cloud';
  const isTooShort = record.record_time > 0 && record.record_time < limits.transcription.minSeconds;
  const describeNextStep = () => {
    if (state.kind === 'trouble' || state.kind === 'done') return null;
    if (isMerging) return t('merge.waiting');
    if (state.kind === 'on-recorder') return t('steps.onRecorder');
    if (state.kind === 'interrupted') return t('record.interruptedTitle');
    if (isPaused) return t('steps.paused');
    if (state.kind === 'transcribing' && state.at?.waiting_since)
      return t('steps.waitingForService');
    if (isRequested) return t('steps.asked');
    if (isTooShort && canRequest) return t('steps.tooShort');
    if (state.kind === 'local' && !isAutomatic) return t('steps.notUploaded');
    if (state.kind === 'transcribing' && state.range) {
      const { start, end } = state.range;
      const range = `${formatClock(start, language)}–${formatClock(end, language)}`;
      return t('steps.transcribingRange', { range });
    }
    return t(`steps.${state.kind}`);
  };
  const nextStepText = describeNextStep();
  return (
    <div className="stages">
      {state.kind === 'trouble' && <ProblemNotice record={record} state={state} />}
      <section className="card stages-card">
        <h2>{t('steps.title')}</h2>
        <ol className="stages-places">
          {places.map((place, index) => {
            if (place === 'recorder' && isCapturedSerial(record.sn)) return null;
            const isDone = index < stage;
            const isCurrent = index === stage;
            return (
              <li
                key={place}
                data-done={isDone || undefined}
                data-current={isCurrent || undefined}
                data-trouble={(isCurrent && state.kind === 'trouble') || undefined}
              >
                <span className="stages-mark">
                  {isDone ? (
                    <Check size={16} role="img" aria-label={t('steps.done')} />
                  ) : isCurrent && percent !== null ? (
                    <ProgressRing
                      percent={percent}
                      paused={isPaused}
                      size={28}
                      label={describeState(t, state, language)}
                    />
                  ) : (
                    <span className="stages-dot" />
                  )}
                </span>
                <span className="stages-place">
                  {t(`steps.places.${place}`)}
                  {isCurrent && percent !== null && (
                    <span className="stages-percent tabular">
                      {formatPercentage(percent, language)}
                    </span>
                  )}
                </span>
              </li>
            );
          })}
        </ol>
        {state.kind === 'transcribing' && state.at && <TaskSteps currentStep={state.at} />}
        {nextStepText && (
          <p className="stages-next" aria-live="polite">
            {nextStepText}
          </p>
        )}
        {state.kind === 'transcribing' && record.task && <CancelTranscription record={record} />}
        {isRequested && (
          <div className="transcribe-actions">
            <CancelRequest record={record} />
          </div>
        )}
        {isBeforeTranscription && !canRequest && !isRequested && !isMerging && (
          <>
            <RecordingLanguage record={record} />
            <RecordingWords record={record} />
          </>
        )}
        {!isMerging && (canRequest ? !isRequested && !isTooShort : hasTranscriptionFailed) && (
          <TranscribeForm record={record} {...(initialLanguage && { initialLanguage })} />
        )}
      </section>
    </div>
  );
}
