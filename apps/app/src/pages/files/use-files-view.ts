import { useEffect, useMemo, useState } from 'react';
import { useChangeSetting } from '../../page-kit/saving.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import { type FilesView, parseView, serializeView } from './files-view.ts';

const group = 'files';
const key = 'view';

/**
 * Filters and sort order of the list, stored as a synced setting. They survive a reload and apply beside an
 * open recording and on every phone. The list's heading shows active filters.
 * @returns null until loaded
 */
export function useFilesView(): {
  readonly view: FilesView | null;
  set(changed: Partial<FilesView>): void;
} {
  const { settings } = useServices();
  const save = useChangeSetting();
  const all = useStore(settings.all);
  // A new choice shows immediately, before it is saved.
  const [chosen, setChosen] = useState<string | null>(null);
  const stored =
    all.status === 'ready'
      ? all.value.find((each) => each.group_name === group && each.config_key === key)?.config_value
      : undefined;
  useEffect(() => {
    if (stored === chosen) setChosen(null);
  }, [stored, chosen]);
  const text = chosen ?? stored;
  const ready = all.status === 'ready';
  const view = useMemo(() => (ready ? parseView(text) : null), [ready, text]);
  return {
    view,
    set(changed) {
      if (!view) return;
      const next = serializeView({ ...view, ...changed });
      setChosen(next);
      save(group, key, next);
    },
  };
}
