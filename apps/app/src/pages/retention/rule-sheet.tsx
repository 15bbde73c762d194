import type { RetentionRule } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import { limits } from '@linnet/contract/limits';
import { type RetentionUnit, retentionUnits } from '@linnet/contract/retention';
import { type FormEvent, useCallback, useEffect, useId, useState } from 'react';
import { describeFailure } from '../../i18n/failures.ts';
import { formatCount } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { LoadMore } from '../../page-kit/list-parts.tsx';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import { usePages } from '../../page-kit/use-pages.ts';
import type { RetentionPreview, RuleScope } from '../../ports/retention.ts';
import { Button, SubmitButton } from '../../ui/button.tsx';
import { SegmentedControl } from '../../ui/choice.tsx';
import { Field } from '../../ui/field.tsx';
import { LoadingPlaceholder, Notice } from '../../ui/notice.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { tagsInUse } from '../files/files-view.ts';
import { AffectedLine } from './affected-line.tsx';

/** Debounce delay in milliseconds before the preview is requested. */
const debounceMs = 400;

const suggested: RuleScope = { tag: null, after: 12, unit: 'month' };

/** Parses an age, or returns null if the server wouldn't accept it. */
function parseAge(text: string, unit: RetentionUnit): number | null {
  const { minDays, maxDays, maxMonths } = limits.retention;
  const [min, max] = unit === 'day' ? [minDays, maxDays] : [1, maxMonths];
  const after = /^\d{1,4}$/.test(text.trim()) ? Number(text) : 0;
  return after >= min && after <= max ? after : null;
}

type Preview =
  | { readonly status: 'waiting' }
  | { readonly status: 'failed'; readonly failure: CallFailure }
  | { readonly status: 'ready'; readonly value: RetentionPreview };

/**
 * Requests a preview of the recordings that a rule would move.
 * @param rule null if it isn't valid
 */
function usePreview(rule: RuleScope | null): { preview: Preview; retry(): void } {
  const { retention } = useServices();
  const [preview, setPreview] = useState<Preview>({ status: 'waiting' });
  const [attempt, setAttempt] = useState(0);
  const text = rule && JSON.stringify(rule);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` repeats the request.
  useEffect(() => {
    setPreview({ status: 'waiting' });
    if (text === null) return;
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const result = await retention.preview(JSON.parse(text), 1);
      if (!isCurrent) return;
      setPreview(
        result.ok
          ? { status: 'ready', value: result.data }
          : { status: 'failed', failure: result.failure },
      );
    }, debounceMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [retention, text, attempt]);
  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  return { preview, retry };
}

/** The form that creates or changes a rule. The rule can be saved once the preview has been shown. */
export function RuleSheet({
  rule,
  onSaved,
  onClose,
}: {
  /** The rule to change; null for a new one. */
  rule: RetentionRule | null;
  onSaved(rule: RetentionRule): void;
  onClose(): void;
}) {
  const { t } = useTranslation();
  const { library, retention } = useServices();
  const records = useStore(library.records);
  const inUse = records.status === 'ready' ? tagsInUse(records.value) : [];
  const initial = rule ?? suggested;
  const [tag, setTag] = useState(initial.tag);
  const [age, setAge] = useState(String(initial.after));
  const [unit, setUnit] = useState<RetentionUnit>(initial.unit);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const tagId = useId();
  const after = parseAge(age, unit);
  const { preview, retry } = usePreview(after === null ? null : { tag, after, unit });
  const isReady = after !== null && preview.status === 'ready';
  const tags = tag === null || inUse.includes(tag) ? inUse : [tag, ...inUse];

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy || !isReady) return;
    setBusy(true);
    setFailure(null);
    const result = await retention.save({ ...(rule && { id: rule.id }), tag, after, unit });
    setBusy(false);
    if (result.ok) onSaved(result.data);
    else setFailure(result.failure);
  };

  return (
    <Sheet title={t(rule ? 'retention.edit' : 'retention.add')} onClose={onClose}>
      <form className="retention-form" onSubmit={submit} noValidate>
        <div className="retention-tag">
          <label htmlFor={tagId}>{t('files.list')}</label>
          <select
            id={tagId}
            // An empty value means all recordings, because tags can't be empty.
            value={tag ?? ''}
            data-testid="rule-tag"
            onChange={(event) => setTag(event.currentTarget.value || null)}
          >
            <option value="">{t('retention.all')}</option>
            {tags.map((existingTag) => (
              <option key={existingTag} value={existingTag}>
                {existingTag}
              </option>
            ))}
          </select>
        </div>
        <Field
          label={t('retention.age')}
          hint={t('retention.ageHint')}
          error={after === null ? t('retention.ageHint') : null}
          inputMode="numeric"
          dir="ltr"
          maxLength={4}
          value={age}
          data-testid="rule-age"
          onChange={(event) => setAge(event.currentTarget.value)}
        />
        <SegmentedControl<RetentionUnit>
          label={t('retention.unit')}
          value={unit}
          options={retentionUnits.map((each) => ({
            value: each,
            label: t(`retention.units.${each}`),
          }))}
          onChange={setUnit}
        />
        {after !== null && (
          <section className="retention-preview" aria-live="polite" data-testid="rule-preview">
            <h3>{t('retention.preview')}</h3>
            {preview.status === 'waiting' && <LoadingPlaceholder lines={2} />}
            {preview.status === 'failed' && (
              <Notice
                message={describeFailure(t, preview.failure).message}
                action={<Button onClick={retry}>{t('common.retry')}</Button>}
              />
            )}
            {preview.status === 'ready' && (
              <PreviewText rule={{ tag, after, unit }} preview={preview.value} />
            )}
          </section>
        )}
        {failure && <Notice message={describeFailure(t, failure).message} />}
        <p className="retention-lead">
          {t('retention.archived')} {t('retention.starts')}
        </p>
        <SubmitButton busy={isBusy} disabled={!isReady} data-testid="save-rule">
          {t('common.save')}
        </SubmitButton>
      </form>
    </Sheet>
  );
}

/** Shows how many recordings a rule would move and how many it would skip, and lists the moved ones, oldest first. */
function PreviewText({ rule, preview }: { rule: RuleScope; preview: RetentionPreview }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { retention } = useServices();
  const { tag, after, unit } = rule;
  const { paged, loadMore } = usePages(
    useCallback(
      // The preview is the first page.
      async (page: number) =>
        page === 1
          ? { ok: true as const, data: preview }
          : retention.preview({ tag, after, unit }, page),
      [retention, preview, tag, after, unit],
    ),
  );
  const { list, total } = paged.status === 'ready' ? paged : preview;
  const numberParams = (count: number) => ({ number: formatCount(count, language) });
  return (
    <>
      <p>{t('retention.moves', numberParams(preview.total))}</p>
      {list.length > 0 && (
        <ul className="card">
          {list.map((recording) => (
            <AffectedLine key={recording.id} recording={recording} />
          ))}
        </ul>
      )}
      {paged.status === 'ready' && (
        <LoadMore shown={list.length} total={total} more={paged.nextPage} onMore={loadMore} />
      )}
      {preview.protected > 0 && <p>{t('retention.protected', numberParams(preview.protected))}</p>}
      {preview.not_stored > 0 && (
        <p>{t('retention.notStored', numberParams(preview.not_stored))}</p>
      )}
      {preview.transcribing > 0 && (
        <p>{t('retention.transcribing', numberParams(preview.transcribing))}</p>
      )}
      {preview.shared > 0 && <p>{t('retention.shared', numberParams(preview.shared))}</p>}
    </>
  );
}
