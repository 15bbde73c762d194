import { isSessionKey } from '@linnet/pocket';
import { type FormEvent, useState } from 'react';
import {
  formatCount,
  formatDurationInSentence,
  formatEntryDate,
  formatPercentage,
  formatSize,
  isolate,
} from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { Section } from '../../page-kit/page.tsx';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { FailedPocketFile, PocketState, PocketTransfer } from '../../ports/pocket.ts';
import type { RecorderFailure } from '../../ports/recorder.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { BatteryLine, ForeignActions, RecorderFailureNotice } from './foreign-parts.tsx';

/** Maximum number of failures to show, newest first. */
const MAX_SHOWN_FILES = 5;

type KeyNeeded = Extract<PocketState, { status: 'key_needed' }>;

/** Asks for the session key. */
function SessionKey({ name, refusal }: Pick<KeyNeeded, 'name' | 'refusal'>) {
  const { t } = useTranslation();
  const service = useServices().pocket;
  const [typed, setTyped] = useState('');
  const [isIncomplete, setIncomplete] = useState(false);
  const [failure, setFailure] = useState<RecorderFailure | null>(null);
  const enter = async (event: FormEvent) => {
    event.preventDefault();
    const key = typed.trim();
    const isValid = isSessionKey(key);
    setIncomplete(!isValid);
    setFailure(null);
    if (!isValid) return;
    const outcome = await service.enterKey(key);
    if (!outcome.ok) setFailure(outcome.failure);
  };
  return (
    <form className="foreign-key" onSubmit={(event) => void enter(event)} noValidate>
      <p>{t('pocket.keyHint', { command: isolate('APP&SK&') })}</p>
      <Field
        label={t('pocket.key')}
        error={isIncomplete ? t('pocket.keyLength') : null}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setIncomplete(false);
        }}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
        data-testid="pocket-key"
      />
      {refusal && !isIncomplete && <Notice message={t('pocket.keyRefused')} code={refusal} />}
      {failure && <RecorderFailureNotice failure={failure} />}
      <Button type="submit" disabled={typed.trim() === ''} data-testid="pocket-enter-key">
        {t('connect.reconnect', { name })}
      </Button>
    </form>
  );
}

/** Shows the recording being transferred, which can take as long as the recording itself. */
function Transfer({ transfer }: { transfer: PocketTransfer }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { skip } = useServices().pocket;
  const { number, total, bytes, size, secondsLeft } = transfer;
  return (
    <div className="foreign-transfer" data-testid="pocket-transfer" data-number={number}>
      <p role="status">
        {t('pocket.file', {
          number: formatCount(number, language),
          total: formatCount(total, language),
        })}
      </p>
      {size > 0 && (
        <>
          <progress value={bytes} max={size} aria-hidden="true" />
          <p className="tabular">
            {t('wifi.total', {
              done: formatSize(bytes, language),
              total: formatSize(size, language),
            })}
          </p>
        </>
      )}
      {secondsLeft !== null && (
        <p>{t('wifi.left', { time: formatDurationInSentence(secondsLeft, language) })}</p>
      )}
      <Button variant="quiet" data-testid="pocket-skip" onClick={skip}>
        {t('pocket.skip')}
      </Button>
    </div>
  );
}

/** Returns the time of a file as ISO 8601, in this device's time zone. */
function toIso(time: string): string {
  const part = (start: number, end: number) => Number(time.slice(start, end));
  return new Date(
    part(0, 4),
    part(4, 6) - 1,
    part(6, 8),
    part(8, 10),
    part(10, 12),
    part(12, 14),
  ).toISOString();
}

function Failures({ failed }: { failed: readonly FailedPocketFile[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  return failed
    .toReversed()
    .slice(0, MAX_SHOWN_FILES)
    .map(({ time, code }) => (
      <Notice
        key={time}
        message={t('pocket.failed', { date: formatEntryDate(toIso(time), language) })}
        detail={t('device.length_differs.todo')}
        code={code}
      />
    ));
}

type ConnectedState = Extract<PocketState, { status: 'connected' }>;

/** The facts that a connected Pocket reports. */
function PocketFacts({ pocket }: { pocket: ConnectedState }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { battery, space, isIdle } = pocket.facts;
  return (
    <>
      <p data-testid="pocket-link">{t('me.connected')}</p>
      {battery !== null && (
        <BatteryLine level={battery} isCharging={false} testId="pocket-battery" />
      )}
      {isIdle !== null && (
        <p data-testid="pocket-state">{t(isIdle ? 'myDevice.now.idle' : 'device.busy.what')}</p>
      )}
      {space && space.total > 0 && (
        <p data-testid="pocket-space">
          {t('common.named', {
            what: t('myDevice.parts.free'),
            which: formatPercentage(Math.floor(100 * (1 - space.used / space.total)), language),
          })}
        </p>
      )}
      {pocket.transfer && <Transfer transfer={pocket.transfer} />}
      {pocket.isListMissing && <Notice message={t('sessions.listFailed')} />}
      <Failures failed={pocket.failed} />
      {pocket.firmware !== '' && (
        <dl className="device-facts">
          <div className="line">
            <dt>{t('myDevice.firmware')}</dt>
            <dd>
              <bdi>{pocket.firmware}</bdi>
            </dd>
          </div>
        </dl>
      )}
    </>
  );
}

/** Shows the account's Pocket and its transfers, and asks for its session key. */
export function PocketSection() {
  const { t } = useTranslation();
  const service = useServices().pocket;
  const pocket = useStore(service.state);
  if (pocket.status === 'none') return null;
  const { name, status } = pocket;
  return (
    <Section title={name}>
      <div className="foreign" data-testid="pocket" data-status={status}>
        {pocket.status === 'connected' ? (
          <PocketFacts pocket={pocket} />
        ) : pocket.status === 'key_needed' ? (
          <SessionKey name={name} refusal={pocket.refusal} />
        ) : pocket.status === 'key_rejected' ? (
          <Notice message={t('pocket.keyRefused')} code={pocket.code} />
        ) : (
          <p data-testid="pocket-link">{t(`connection.state.${pocket.status}`)}</p>
        )}
        <p>{t('connect.pocketNotice')}</p>
        <ForeignActions
          service={service}
          name={name}
          status={status === 'key_rejected' ? 'idle' : status}
          testId="pocket"
        />
      </div>
    </Section>
  );
}
