import type { QuestionThread } from '@linnet/contract';
import { type ReactNode, useState } from 'react';
import { describeFailure } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { vibrate } from '../../page-kit/media.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toast.tsx';

type Deletable = Pick<QuestionThread, 'id' | 'question'>;

/**
 * Returns a function that asks for confirmation and deletes a thread, and the dialog to render.
 * @param onDeleted called after the deletion
 */
export function useDeleteThread(onDeleted: () => void): {
  confirmDelete(thread: Deletable): void;
  readonly dialog: ReactNode;
} {
  const { t } = useTranslation();
  const { questions } = useServices();
  const show = useToast();
  const [pending, setPending] = useState<{
    readonly thread: Deletable;
    readonly isBusy: boolean;
  } | null>(null);

  const remove = async (thread: Deletable) => {
    setPending({ thread, isBusy: true });
    const result = await questions.remove(thread.id);
    setPending(null);
    if (!result.ok) {
      show({ message: describeFailure(t, result.failure).message, kind: 'error' });
      return;
    }
    vibrate('delete');
    show({ message: t('ask.deleted') });
    onDeleted();
  };

  return {
    confirmDelete: (thread) => setPending({ thread, isBusy: false }),
    dialog: pending && (
      <Confirm
        title={t('ask.deleteTitle')}
        confirmLabel={t('ask.delete')}
        danger
        busy={pending.isBusy}
        onCancel={() => setPending(null)}
        onConfirm={() => void remove(pending.thread)}
      >
        <q className="ask-deleted-question" dir="auto">
          {pending.thread.question}
        </q>
        {t('ask.deleteText')}
      </Confirm>
    ),
  };
}
