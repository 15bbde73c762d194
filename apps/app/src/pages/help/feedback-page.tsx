import { limits } from '@linnet/contract/limits';
import { type FormEvent, useId, useState } from 'react';
import { describeFailure } from '../../i18n/failures.ts';
import { formatCount, formatSize } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { PageLink } from '../../page-kit/navigation.tsx';
import { Page } from '../../page-kit/page.tsx';
import { useHome, useSignedOutServices, useStore } from '../../page-kit/services-context.ts';
import type { FeedbackDraft, FeedbackKind } from '../../ports/feedback.ts';
import { SubmitButton } from '../../ui/button.tsx';
import { SegmentedControl } from '../../ui/choice.tsx';
import { Checkbox, Field } from '../../ui/field.tsx';
import { EmptyState, Notice } from '../../ui/notice.tsx';
import { QuestionLinks } from './question-links.tsx';
import './help.css';

const kinds: readonly FeedbackKind[] = ['problem', 'question', 'wish', 'other'];

type FeedbackState =
  | { readonly status: 'writing'; readonly missing: boolean }
  | { readonly status: 'sending' }
  | { readonly status: 'failed'; readonly failure: Parameters<typeof describeFailure>[1] }
  | { readonly status: 'sent' };

/** Whether the log is attached, and its text; null while it is loading. */
type LogChoice =
  | { readonly attached: false }
  | { readonly attached: true; readonly text: string | null };

/** The option to attach the log, with its full text. */
function LogFields({ log, onChange }: { log: LogChoice; onChange(attached: boolean): void }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const text = log.attached ? log.text : null;
  return (
    <div className="feedback-log">
      <Checkbox
        checked={log.attached}
        data-testid="with-log"
        onChange={(event) => onChange(event.currentTarget.checked)}
      >
        {t('feedback.withLog')}
      </Checkbox>
      <p className="field-hint">{t('feedback.logHint')}</p>
      {text !== null && (
        <details>
          <summary>
            {t('feedback.showLog', {
              size: formatSize(new TextEncoder().encode(text).length, language),
            })}
          </summary>
          {/* The log scrolls, so it must be focusable for keyboard users. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
          <pre dir="ltr" tabIndex={0} data-testid="log">
            {text}
          </pre>
        </details>
      )}
    </div>
  );
}

/** The form for sending feedback to the server's operator: kind, message, reply address and optional log. */
export default function FeedbackPage() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { feedback, account } = useSignedOutServices();
  const state = useStore(account.state);
  const home = useHome();
  const [writing] = useState(feedback.begin);
  const [draft, setDraft] = useState(writing.draft);
  const [log, setLog] = useState<LogChoice>({ attached: false });
  const [sending, setSending] = useState<FeedbackState>({ status: 'writing', missing: false });
  const id = useId();

  const updateDraft = (change: Partial<FeedbackDraft>) => {
    const next = { ...draft, ...change };
    setDraft(next);
    writing.save(next);
    if (sending.status !== 'sending') setSending({ status: 'writing', missing: false });
  };
  const chooseLog = (attached: boolean) => {
    setLog(attached ? { attached, text: null } : { attached });
    if (!attached) return;
    void feedback
      .log()
      .then((text) => setLog((previous) => (previous.attached ? { attached, text } : previous)));
  };
  const maxLength = limits.feedback.contentMaxLength;
  const excess = draft.content.trim().length - maxLength;
  const formError =
    excess > 0
      ? t('feedback.tooLong', {
          most: formatCount(maxLength, language),
          over: formatCount(excess, language),
        })
      : sending.status === 'writing' && sending.missing
        ? t('feedback.nothing')
        : null;

  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (sending.status === 'sending') return;
    if (excess > 0 || draft.content.trim() === '') {
      setSending({ status: 'writing', missing: excess <= 0 });
      form.querySelector('textarea')?.focus();
      return;
    }
    setSending({ status: 'sending' });
    // Send the displayed log, or a new one if it hasn't loaded yet.
    const text = log.attached ? (log.text ?? (await feedback.log())) : '';
    const result = await writing.send(draft, text);
    setSending(result.ok ? { status: 'sent' } : { status: 'failed', failure: result.failure });
  };

  if (sending.status === 'sent') {
    return (
      <Page title={t('help.feedback')} parent={home} step="sent">
        <EmptyState
          title={t('feedback.thanks')}
          action={
            <PageLink
              to={home}
              transition="pop"
              className="button"
              data-look="primary"
              data-testid="done"
            >
              {t('feedback.done')}
            </PageLink>
          }
        >
          {t('feedback.thanksHint')}
        </EmptyState>
      </Page>
    );
  }
  const failed = sending.status === 'failed' ? describeFailure(t, sending.failure) : null;
  return (
    <Page title={t('help.feedback')} parent={home} step="form">
      <p className="help-lead">{t('feedback.lead')}</p>
      <form className="feedback-form" onSubmit={send} noValidate>
        <SegmentedControl
          label={t('feedback.kind')}
          value={draft.kind}
          options={kinds.map((kind) => ({ value: kind, label: t(`feedback.kinds.${kind}`) }))}
          onChange={(kind) => updateDraft({ kind })}
        />
        <div className="field" data-invalid={formError !== null || undefined}>
          <label htmlFor={id}>{t('feedback.content')}</label>
          <textarea
            id={id}
            rows={6}
            dir="auto"
            value={draft.content}
            aria-invalid={formError !== null || undefined}
            aria-describedby={`${id}-below`}
            data-testid="content"
            onChange={(event) => updateDraft({ content: event.currentTarget.value })}
          />
          {formError ? (
            <p className="field-error" id={`${id}-below`} data-testid="error">
              {formError}
            </p>
          ) : (
            <p className="field-hint" id={`${id}-below`}>
              {t('feedback.contentHint')}
            </p>
          )}
        </div>
        <Field
          label={t('feedback.contact')}
          hint={
            state.status === 'signed-in'
              ? t('feedback.contactKnown', { email: state.user.email })
              : t('feedback.contactHint')
          }
          value={draft.contact}
          maxLength={limits.feedback.contactMaxLength}
          dir="auto"
          data-testid="contact"
          onChange={(event) => updateDraft({ contact: event.currentTarget.value })}
        />
        <LogFields log={log} onChange={chooseLog} />
        {failed && (
          <Notice message={failed.message} detail={t('feedback.kept')} code={failed.code} />
        )}
        <SubmitButton busy={sending.status === 'sending'} data-testid="submit">
          {t(failed ? 'common.retry' : 'feedback.send')}
        </SubmitButton>
      </form>
      <QuestionLinks />
    </Page>
  );
}
