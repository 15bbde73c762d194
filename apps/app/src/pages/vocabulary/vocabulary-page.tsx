import X from 'lucide-react/icons/x';
import { type FormEvent, useState } from 'react';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { Page } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import {
  checkEntry,
  type EntryCheck,
  listedEntries,
  useChangeVocabulary,
} from '../../page-kit/vocabulary.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { EmptyState, LoadingPlaceholder } from '../../ui/notice.tsx';
import './vocabulary.css';

/** Lists the names and terms that improve speech recognition in all of the account's recordings. */
export default function VocabularyPage() {
  const { t } = useTranslation();
  const language = useLanguage();
  const settings = useStore(useServices().settings.all);
  const { add, remove } = useChangeVocabulary();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<Exclude<EntryCheck['status'], 'new'> | null>(null);

  const addTyped = (event: FormEvent) => {
    event.preventDefault();
    if (settings.status !== 'ready') return;
    const check = checkEntry(settings.value, text);
    if (check.status !== 'new') return setProblem(check.status);
    add(check.entry);
    setText('');
  };
  const listed = settings.status === 'ready' ? listedEntries(settings.value) : null;
  const entries = listed?.toSorted(new Intl.Collator(language).compare);

  return (
    <Page title={t('vocabulary.title')} parent={paths.me}>
      <form className="vocabulary-form" onSubmit={addTyped} noValidate>
        <Field
          label={t('vocabulary.field')}
          error={problem && t(`vocabulary.${problem}`)}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            setProblem(null);
          }}
          dir="auto"
          autoComplete="off"
          data-testid="vocabulary-entry"
        />
        <Button type="submit" disabled={text.trim() === ''} data-testid="vocabulary-add">
          {t('vocabulary.add')}
        </Button>
      </form>
      {!entries ? (
        <LoadingPlaceholder lines={3} />
      ) : entries.length === 0 ? (
        <EmptyState title={t('vocabulary.empty')}>{t('vocabulary.lead')}</EmptyState>
      ) : (
        <div className="section">
          <p className="vocabulary-lead">{t('vocabulary.lead')}</p>
          <ul className="card" aria-label={t('vocabulary.title')}>
            {entries.map((entry) => (
              <li className="line vocabulary-line" key={entry}>
                <bdi className="line-words">{entry}</bdi>
                <IconButton label={t('vocabulary.remove', { entry })} onClick={() => remove(entry)}>
                  <X size={18} />
                </IconButton>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Page>
  );
}
