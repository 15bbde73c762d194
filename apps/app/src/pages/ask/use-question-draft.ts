import { useCallback, useState } from 'react';
import { useServices } from '../../page-kit/services-context.ts';

/**
 * Returns the question being typed and its setter, like `useState`. The text survives reloads and closed tabs.
 * @param subject the thread's ID or, in a new conversation, the ID of the recording in question, or an empty string
 */
export function useQuestionDraft(subject: string): readonly [string, (question: string) => void] {
  const { drafts } = useServices();
  const read = () => drafts.read('question', subject) ?? '';
  const [draft, setDraft] = useState(() => ({ subject, text: read() }));
  if (draft.subject !== subject) setDraft({ subject, text: read() });
  const change = useCallback(
    (text: string) => {
      drafts.write('question', text === '' ? null : text, subject);
      setDraft((shown) => (shown.subject === subject ? { subject, text } : shown));
    },
    [drafts, subject],
  );
  return [draft.text, change];
}
