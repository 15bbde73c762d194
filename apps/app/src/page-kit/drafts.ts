import { useCallback, useState } from 'react';
import type { DraftField, DraftFields } from '../ports/drafts.ts';
import { useServices } from './services-context.ts';

/**
 * Returns a field's unsaved text and its setter, like `useState`. The text survives reloads and closed tabs. Null means
 * that the field isn't being edited.
 * @param subject the recording; empty for account fields. It must not change while the component is mounted.
 */
export function useDraft<F extends DraftField>(
  field: F,
  subject = '',
): readonly [DraftFields[F] | null, (draft: DraftFields[F] | null) => void] {
  const { drafts } = useServices();
  const [draft, setDraft] = useState(() => drafts.read(field, subject));
  const change = useCallback(
    (next: DraftFields[F] | null) => {
      drafts.write(field, next, subject);
      setDraft(next);
    },
    [drafts, field, subject],
  );
  return [draft, change];
}
