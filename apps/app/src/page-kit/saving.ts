import {
  type CloudSetting,
  EditExceeds,
  earliestDeletions,
  readCloudSetting,
  readStorageSetting,
  readTranscriptionSetting,
  type StorageSetting,
  type TranscriptionSetting,
} from '@linnet/sync';
import { useCallback } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { useToast } from '../ui/toast.tsx';
import { useServices, useStore } from './services-context.ts';

function useSettings() {
  const allSettings = useStore(useServices().settings.all);
  return allSettings.status === 'ready' ? allSettings.value : null;
}

/** Returns the storage setting, or null until it is loaded. */
export function useStorageSetting(): StorageSetting | null {
  const settings = useSettings();
  return settings && readStorageSetting(settings);
}

/** Returns when the storage setting starts deleting audio in each location, or null until the setting is loaded. */
export function useEarliestDeletions(): ReturnType<typeof earliestDeletions> | null {
  const settings = useSettings();
  return settings && earliestDeletions(settings);
}

/** Returns the cloud backup setting, or null until it is loaded. */
export function useCloudSetting(): CloudSetting | null {
  const settings = useSettings();
  return settings && readCloudSetting(settings);
}

/** Returns the transcription setting, or null until it is loaded. */
export function useTranscriptionSetting(): TranscriptionSetting | null {
  const settings = useSettings();
  return settings && readTranscriptionSetting(settings);
}

/**
 * Returns a function that awaits a local write, and shows a toast if it fails, for example because the phone is full.
 * Its promise resolves to whether the write succeeded. Use it for forms that stay open until the write has succeeded,
 * and {@link useSave} for everything else.
 */
export function useAttemptSave(): (write: Promise<unknown>) => Promise<boolean> {
  const { t } = useTranslation();
  const show = useToast();
  return useCallback(
    async (write) => {
      try {
        await write;
        return true;
      } catch (error) {
        if (error instanceof EditExceeds) {
          show({ message: t('edits.exceeds'), kind: 'error', sticky: true });
          return false;
        }
        show({ message: t('common.notSaved'), kind: 'error', sticky: true });
        reportError(error);
        return false;
      }
    },
    [t, show],
  );
}

/**
 * Returns a function that performs a local write. If it fails, a toast offers a retry, so the user doesn't lose text.
 */
export function useSave(): (write: () => Promise<unknown>, onSaved?: () => void) => void {
  const { t } = useTranslation();
  const show = useToast();
  return useCallback(
    (write, onSaved) => {
      const attempt = async () => {
        try {
          await write();
        } catch (error) {
          if (error instanceof EditExceeds) {
            show({ message: t('edits.exceeds'), kind: 'error', sticky: true });
            return;
          }
          reportError(error);
          const action = { label: t('common.retry'), run: () => void attempt() };
          show({ message: t('common.notSaved'), kind: 'error', sticky: true, action });
          return;
        }
        onSaved?.();
      };
      void attempt();
    },
    [t, show],
  );
}

/** Returns a function that changes a setting. If the write fails, the setting and its switch keep their value. */
export function useChangeSetting(): (group: string, key: string, value: string) => void {
  const { settings } = useServices();
  const trySave = useAttemptSave();
  return useCallback(
    (group, key, value) => void trySave(settings.set(group, key, value)),
    [settings, trySave],
  );
}
