import ChevronRight from 'lucide-react/icons/chevron-right';
import Trash2 from 'lucide-react/icons/trash-2';
import { useRef, useState } from 'react';
import { describeFailure } from '../../i18n/failures.ts';
import { formatEntryDate, isolate } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { PageLink, useFocusRestore } from '../../page-kit/navigation.tsx';
import { askPath } from '../../page-kit/paths.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { usePages } from '../../page-kit/use-pages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useDeleteThread } from './use-delete-thread.tsx';

const examples = ['ask.exampleTasks', 'ask.exampleDate', 'ask.exampleDecision'] as const;
const examplesOne = [
  'ask.exampleTasksOne',
  'ask.exampleDateOne',
  'ask.exampleDecisionOne',
] as const;

/** Shown before the first question: examples, and the earlier threads. */
export function EmptyConversation({
  isScoped,
  onAsk,
}: {
  /** Whether the questions are limited to some recordings. */
  isScoped: boolean;
  onAsk(question: string): void;
}) {
  const { t } = useTranslation();
  return (
    <>
      <section className="ask-start">
        <p className="ask-lead">{t(isScoped ? 'ask.leadOne' : 'ask.lead')}</p>
        <ul className="ask-examples" aria-label={t('ask.examples')}>
          {(isScoped ? examplesOne : examples).map((key) => (
            <li key={key}>
              <button
                type="button"
                className="ask-example"
                data-testid="example-question"
                onClick={() => onAsk(t(key))}
              >
                {t(key)}
              </button>
            </li>
          ))}
        </ul>
      </section>
      <EarlierThreads />
    </>
  );
}

/** Lists the account's threads, latest first. */
function EarlierThreads() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { questions } = useServices();
  const { paged, reload, loadMore } = usePages(questions.threads);
  const [deletions, setDeletions] = useState(0);
  const { confirmDelete, dialog } = useDeleteThread(() => {
    setDeletions(deletions + 1);
    reload();
  });
  const title = useRef<HTMLHeadingElement>(null);
  const count = paged.status === 'ready' ? paged.list.length : 0;
  useFocusRestore(title, deletions > 0 ? `${deletions} ${count}` : '');
  if (paged.status === 'failed') {
    return (
      <Notice
        message={t('ask.listFailed')}
        detail={describeFailure(t, paged.failure).message}
        action={<Button onClick={reload}>{t('common.retry')}</Button>}
      />
    );
  }
  if (paged.status === 'waiting' || paged.list.length === 0) return null;
  const { nextPage } = paged;
  return (
    <section className="section" aria-labelledby="ask-earlier">
      <h2 className="section-title" id="ask-earlier" ref={title} tabIndex={-1}>
        {t('ask.earlier')}
      </h2>
      <ul className="card">
        {paged.list.map((thread) => (
          <li className="ask-thread" key={thread.id} data-testid="thread">
            <PageLink className="line" to={askPath({ thread: thread.id })}>
              <span className="line-words">
                <bdi className="ask-thread-question">{thread.question}</bdi>
                <span>
                  <time dateTime={thread.updated_at}>
                    {formatEntryDate(thread.updated_at, language)}
                  </time>
                </span>
              </span>
              <ChevronRight className="turns" size={18} aria-hidden="true" />
            </PageLink>
            <IconButton
              label={t('ask.deleteThis', { words: isolate(thread.question) })}
              data-testid="delete-thread"
              onClick={() => confirmDelete(thread)}
            >
              <Trash2 size={18} />
            </IconButton>
          </li>
        ))}
      </ul>
      {typeof nextPage !== 'string' && (
        <Notice
          message={t('ask.listFailed')}
          detail={describeFailure(t, nextPage).message}
          action={<Button onClick={loadMore}>{t('common.retry')}</Button>}
        />
      )}
      {typeof nextPage === 'string' && paged.list.length < paged.total && (
        <Button busy={nextPage === 'waiting'} data-testid="more-threads" onClick={loadMore}>
          {t('ask.showMore')}
        </Button>
      )}
      {dialog}
    </section>
  );
}
