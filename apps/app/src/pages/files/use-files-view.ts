import { useEffect, useMemo, useState } from 'react';
import { useSetSetting } from '../../page-kit/saving.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import { type FilesView, readView, writeView } from './files-view.ts';

const group = 'files';
const key = 'view';

/**
 * Filters and sort order of the list, stored as a synced setting: they survive a reload and are the same
 * beside an open recording and on every phone. The list's heading shows active filters.
 * @returns null until loaded
 */
export function useFilesView(): {
  readonly view: FilesView | null;
  set(changed: Partial<FilesView>): void;
} {
  const { settings } = useServices();
  const save = useSetSetting();
  const all = useStore(settings.all);
  // A new choice shows at once, before it is saved.
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
  const view = useMemo(() => (ready ? readView(text) : null), [ready, text]);
  return {
    view,
    set(changed) {
      if (!view) return;
      const next = writeView({ ...view, ...changed });
      setChosen(next);
      save(group, key, next);
    },
  };
}
