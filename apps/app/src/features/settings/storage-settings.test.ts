import { writable } from '@linnet/base';
import type { DatedSetting } from '@linnet/sync';
import { expect, it } from 'vitest';
import type { SettingsService } from '../../ports/settings.ts';
import { createStorageSettings } from './storage-settings.ts';

type AllSettings = ReturnType<SettingsService['all']['get']>;
const setting = (group_name: string, config_key: string, config_value: string): DatedSetting => ({
  group_name,
  config_key,
  config_value,
  since: null,
});

it('notifies subscribers only of changes to storage settings', () => {
  const all = writable<AllSettings>({ status: 'loading' });
  const storageSettings = createStorageSettings(all);
  let notifications = 0;
  const stop = storageSettings.subscribe(() => {
    notifications += 1;
  });
  expect(storageSettings.cloud()).toBeNull();
  const set = (...value: DatedSetting[]) => all.set({ status: 'ready', value });
  set();
  expect([notifications, storageSettings.cloud()?.autoSync]).toEqual([1, true]);
  // Changes of other settings.
  set(setting('files', 'view', '{}'));
  set(setting('files', 'view', '{}'), setting('cloud_setting', 'wifi_only', '0'));
  expect(notifications).toBe(1);
  set(setting('radio_save_style', 'app', '0'));
  expect([notifications, storageSettings.save().appSave]).toEqual([2, 0]);
  stop();
});
