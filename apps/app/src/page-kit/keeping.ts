import {
  type CloudSetting,
  cloudSettingOf,
  deletesFrom,
  EditExceeds,
  type SaveSetting,
  saveSettingOf,
} from '@linnet/sync';
import { useCallback } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { useToast } from '../ui/toast.tsx';
import { useServices, useStore } from './services-context.ts';

function useSettings() {
  const all = useStore(useServices().settings.all);
  return all.status === 'ready' ? all.value : null;
}

/** Where the owner wants audio kept; null until it was read. */
export function useSaveSetting(): SaveSetting | null {
  const settings = useSettings();
  return settings && saveSettingOf(settings);
}

/** When deleting because of the storage setting begins in each place; null until it was read. */
export function useDeletesFrom(): ReturnType<typeof deletesFrom> | null {
  const settings = useSettings();
  return settings && deletesFrom(settings);
}

/** What the owner lets go to the cloud; null until it was read. */
export function useCloudSetting(): CloudSetting | null {
  const settings = useSettings();
  return settings && cloudSettingOf(settings);
}

/**
 * Waits for what is written on this phone, and says so where it cannot be: the phone is full, for example.
 * For forms that stay open until then; what has none is done with {@link useKeep}.
 * @returns whether it is kept
 */
export function useKept(): (writing: Promise<unknown>) => Promise<boolean> {
  const { t } = useTranslation();
  const show = useToast();
  return useCallback(
    async (writing) => {
      try {
        await writing;
        return true;
      } catch (error) {
        if (error instanceof EditExceeds) {
          show({ words: t('edits.exceeds'), kind: 'error', sticky: true });
          return false;
        }
        show({ words: t('common.notSaved'), kind: 'error', sticky: true });
        reportError(error);
        return false;
      }
    },
    [t, show],
  );
}

/**
 * Does on this phone what its owner just asked for. Where it cannot be kept, that is told, and can be tried
 * again: whoever wrote a text has nothing else left to do it with.
 */
export function useKeep(): (write: () => Promise<unknown>, onKept?: () => void) => void {
  const { t } = useTranslation();
  const show = useToast();
  return useCallback(
    (write, onKept) => {
      const attempt = async () => {
        try {
          await write();
        } catch (error) {
          if (error instanceof EditExceeds) {
            show({ words: t('edits.exceeds'), kind: 'error', sticky: true });
            return;
          }
          reportError(error);
          const action = { label: t('common.retry'), run: () => void attempt() };
          show({ words: t('common.notSaved'), kind: 'error', sticky: true, action });
          return;
        }
        onKept?.();
      };
      void attempt();
    },
    [t, show],
  );
}

/** Changes a setting. One that cannot be kept stays as it was, and its switch with it. */
export function useSetSetting(): (group: string, key: string, value: string) => void {
  const { settings } = useServices();
  const kept = useKept();
  return useCallback(
    (group, key, value) => void kept(settings.set(group, key, value)),
    [settings, kept],
  );
}
