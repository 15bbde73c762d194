import { writable } from '@linnet/base';
import type { DatedSetting } from '@linnet/sync';
import { expect, it } from 'vitest';
import type { SettingsService } from '../../ports/settings.ts';
import { createStorageSettings } from './storage-settings.ts';

type All = ReturnType<SettingsService['all']['get']>;
const of = (group_name: string, config_key: string, config_value: string): DatedSetting => ({
  ...{ group_name, config_key, config_value, since: null },
});

it('notifies only of changes to storage settings', () => {
  const all = writable<All>({ status: 'loading' });
  const storageSettings = createStorageSettings(all);
  let notified = 0;
  const stop = storageSettings.subscribe(() => {
    notified += 1;
  });
  expect(storageSettings.cloud()).toBeNull();
  const set = (...value: DatedSetting[]) => all.set({ status: 'ready', value });
  set();
  expect([notified, storageSettings.cloud()?.autoSync]).toEqual([1, true]);
  // Another setting changed.
  set(of('files', 'view', '{}'));
  set(of('files', 'view', '{}'), of('cloud_setting', 'wifi_only', '0'));
  expect(notified).toBe(1);
  set(of('radio_save_style', 'app', '0'));
  expect([notified, storageSettings.save().appSave]).toEqual([2, 0]);
  stop();
});
