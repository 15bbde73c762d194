import { useEffect, useMemo, useState } from 'react';
import { useChangeSetting } from '../../page-kit/saving.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import { type FilesView, parseView, serializeView } from './files-view.ts';

const group = 'files';
const key = 'view';

/**
 * Returns the list's filters and sort order, which are stored as a synced setting. They survive a reload and apply on
 * every phone, including while a recording is open beside the list. The list's heading shows active filters.
 * @returns null until the setting is loaded
 */
export function useFilesView(): {
  readonly view: FilesView | null;
  changeSetting(changed: Partial<FilesView>): void;
} {
  const { settings } = useServices();
  const save = useChangeSetting();
  const allSettings = useStore(settings.all);
  // Show a new choice immediately, before it is saved.
  const [pendingView, setPendingView] = useState<string | null>(null);
  const storedView =
    allSettings.status === 'ready'
      ? allSettings.value.find(
          (setting) => setting.group_name === group && setting.config_key === key,
        )?.config_value
      : undefined;
  useEffect(() => {
    if (storedView === pendingView) setPendingView(null);
  }, [storedView, pendingView]);
  const text = pendingView ?? storedView;
  const isReady = allSettings.status === 'ready';
  const view = useMemo(() => (isReady ? parseView(text) : null), [isReady, text]);
  return {
    view,
    changeSetting(changed) {
      if (!view) return;
      const serializedView = serializeView({ ...view, ...changed });
      setPendingView(serializedView);
      save(group, key, serializedView);
    },
  };
}
