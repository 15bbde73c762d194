import type { SummaryDocument } from '@linnet/contract';
import { useState } from 'react';
import { formatClock } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { recordingName } from '../../../i18n/record-name.ts';
import { useServices } from '../../../page-kit/services-context.ts';
import { useToast } from '../../../ui/toast.tsx';
import type { TabProps } from '../tab.ts';

/** Returns a function that exports to-dos as a calendar file. */
export function useCalendar({ record, getPath }: Pick<TabProps, 'record' | 'getPath'>) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { analysisFiles } = useServices();
  const show = useToast();
  const [isBusy, setBusy] = useState(false);
  const name = recordingName(record, t, language);
  return {
    busy: isBusy,
    async save(items: readonly SummaryDocument['todos'][number][]): Promise<void> {
      setBusy(true);
      const todos = items.map(({ id, text, who, when, due, start_time, paragraph_id }) => ({
        uid: `${record.id}-${id}@linnet`,
        text,
        due,
        done: record.ticks[id] === true,
        notes: [
          ...(who ? [t('understood.noteWho', { who })] : []),
          ...(when ? [t('understood.noteWhen', { when })] : []),
          t('understood.noteFrom', { name, time: formatClock(start_time, language) }),
        ],
        url: new URL(getPath({ paragraph: paragraph_id }), location.href).href,
      }));
      const saved = await analysisFiles.saveTodos(todos, { name, at: record.create_date });
      setBusy(false);
      if (!saved.ok) show({ message: t('understood.notSaved'), kind: 'error', sticky: true });
    },
  };
}
