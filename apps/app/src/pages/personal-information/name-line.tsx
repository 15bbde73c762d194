import { limits } from '@linnet/contract/limits';
import Check from 'lucide-react/icons/check';
import Pencil from 'lucide-react/icons/pencil';
import X from 'lucide-react/icons/x';
import { type FormEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { describeFailure } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useDraft } from '../../page-kit/drafts.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { IconButton } from '../../ui/button.tsx';
import { useToast } from '../../ui/toast.tsx';

/** Shows the name, which can be edited in place: Enter saves, Escape cancels. */
export function NameLine({ nickname }: { nickname: string }) {
  const { t } = useTranslation();
  const { profile } = useServices();
  const show = useToast();
  const [draft, setDraft] = useDraft('nickname');
  const [isBusy, setBusy] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);

  const stopEditing = () => {
    flushSync(() => setDraft(null));
    editButton.current?.focus();
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (draft === null || isBusy) return;
    if (draft.trim() === nickname) return stopEditing();
    setBusy(true);
    const result = await profile.rename(draft.trim());
    setBusy(false);
    if (result.ok) return stopEditing();
    const failureText = describeFailure(t, result.failure);
    show({ message: failureText.message, kind: 'error', sticky: failureText.sticky });
  };

  if (draft === null) {
    return (
      <button
        ref={editButton}
        type="button"
        className="line"
        data-testid="edit-name"
        onClick={() => setDraft(nickname)}
      >
        <span className="line-words">
          <span>{t('personal.name')}</span>
          <span dir="auto">{nickname || t('personal.noName')}</span>
        </span>
        <span className="line-end">
          <Pencil size={18} aria-hidden="true" />
        </span>
      </button>
    );
  }
  return (
    <form className="line name-form" onSubmit={save}>
      <label className="line-words">
        <span>{t('personal.name')}</span>
        <input
          // biome-ignore lint/a11y/noAutofocus: the user opened the field to type.
          autoFocus
          dir="auto"
          value={draft}
          maxLength={limits.nickname.maxLength}
          autoComplete="nickname"
          data-testid="name"
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => setDraft(event.currentTarget.value)}
          onKeyDown={(event) => {
            // Escape may instead be canceling an input method's composition.
            if (event.key === 'Escape' && !isBusy) stopEditing();
          }}
        />
      </label>
      <IconButton label={t('common.cancel')} disabled={isBusy} onClick={stopEditing}>
        <X size={20} />
      </IconButton>
      <IconButton label={t('common.save')} type="submit" aria-busy={isBusy || undefined}>
        <Check size={20} />
      </IconButton>
    </form>
  );
}
