import type { CallFailure } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import { type WebhookEvent, webhookEvents } from '@linnet/contract/webhooks';
import { type FormEvent, useState } from 'react';
import { describeFailure } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { SubmitButton } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { SwitchLine } from '../../ui/switch-line.tsx';
import { eventKeys } from './event-names.ts';

/** The events preselected for a new webhook. */
const suggested: readonly WebhookEvent[] = ['recording.transcribed', 'recording.summarized'];

/** The form that adds a webhook. */
export function CreateWebhookSheet({
  onCreated,
  onClose,
}: {
  onCreated(secret: string): void;
  onClose(): void;
}) {
  const { t } = useTranslation();
  const { webhooks } = useServices();
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState(suggested);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<CallFailure | null>(null);
  // The events are always valid, so the server can only reject the URL.
  const isRefused = failure?.kind === 'server' && failure.code === codes.badRequest;
  const isComplete = url.trim() !== '' && events.length > 0;

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy || !isComplete) return;
    setBusy(true);
    setFailure(null);
    const result = await webhooks.create({ url: url.trim(), events: [...events] });
    setBusy(false);
    if (result.ok) onCreated(result.data.secret);
    else setFailure(result.failure);
  };

  return (
    <Sheet title={t('webhooks.addTitle')} onClose={onClose}>
      <form className="webhook-form" onSubmit={submit} noValidate>
        <Field
          label={t('webhooks.url')}
          hint={t('webhooks.urlHint')}
          error={isRefused ? t('webhooks.urlRefused') : null}
          type="url"
          inputMode="url"
          dir="ltr"
          autoCapitalize="none"
          spellCheck={false}
          value={url}
          maxLength={limits.webhooks.urlMaxLength}
          data-testid="webhook-url"
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <fieldset className="webhook-events">
          <legend>{t('webhooks.events')}</legend>
          <div className="card">
            {webhookEvents.map((webhookEvent) => (
              <SwitchLine
                key={webhookEvent}
                label={t(eventKeys[webhookEvent])}
                hint={<code dir="ltr">{webhookEvent}</code>}
                checked={events.includes(webhookEvent)}
                testId={`webhook-${webhookEvent}`}
                onChange={(isOn) =>
                  setEvents(
                    webhookEvents.filter((item) =>
                      item === webhookEvent ? isOn : events.includes(item),
                    ),
                  )
                }
              />
            ))}
          </div>
        </fieldset>
        {failure && !isRefused && <Notice message={describeFailure(t, failure).message} />}
        <SubmitButton busy={isBusy} disabled={!isComplete} data-testid="submit-webhook">
          {t('webhooks.add')}
        </SubmitButton>
      </form>
    </Sheet>
  );
}
