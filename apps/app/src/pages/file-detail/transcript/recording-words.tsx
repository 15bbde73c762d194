import { limits } from '@linnet/contract/limits';
import { toVocabularyEntry } from '@linnet/contract/vocabulary';
import Plus from 'lucide-react/icons/plus';
import X from 'lucide-react/icons/x';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from '../../../i18n/index.ts';
import { useSave } from '../../../page-kit/saving.ts';
import { useServerInfo, useServices } from '../../../page-kit/services-context.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import type { OpenRecord } from '../open-record.ts';
import './recording-words.css';

/** Shows and changes the names and terms that improve speech recognition in a recording. */
export function RecordingWords({ record: { id, words } }: { record: OpenRecord }) {
  const { t } = useTranslation();
  const { library } = useServices();
  const serverInfo = useServerInfo();
  const save = useSave();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<'invalid' | 'full' | null>(null);
  if (serverInfo?.recordingWords !== true) return null;
  const set = (word: string, isOn: boolean) =>
    save(() => library.edit({ type: 'recording.word', recording: id, word, on: isOn }));
  const add = () => {
    const entry = toVocabularyEntry(text);
    if (entry === null) return setProblem('invalid');
    if (words.length >= limits.recording.words) return setProblem('full');
    if (!words.includes(entry)) set(entry, true);
    setText('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    // The field is part of the form that starts the transcription.
    event.preventDefault();
    if (text.trim() !== '') add();
  };
  return (
    <fieldset className="recording-words">
      <div className="recording-words-field">
        <Field
          label={t('steps.words')}
          error={problem && t(`vocabulary.${problem}`)}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            setProblem(null);
          }}
          onKeyDown={onKeyDown}
          dir="auto"
          autoComplete="off"
          data-testid="recording-word"
        />
        <IconButton label={t('vocabulary.add')} disabled={text.trim() === ''} onClick={add}>
          <Plus size={20} />
        </IconButton>
      </div>
      {words.length > 0 && (
        <ul aria-label={t('steps.words')}>
          {words.map((word) => (
            <li key={word} className="recording-words-entry">
              <bdi>{word}</bdi>
              <IconButton
                label={t('vocabulary.remove', { entry: word })}
                onClick={() => set(word, false)}
              >
                <X size={16} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  );
}
