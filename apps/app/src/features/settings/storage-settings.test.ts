import { writable } from '@linnet/base';
import type { DatedSetting } from '@linnet/sync';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SettingsService } from '../../ports/settings.ts';
import { stubLocalStorage } from '../testing/local-storage.ts';
import { createStorageSettings } from './storage-settings.ts';

let storage: Map<string, string>;
beforeEach(() => {
  storage = stubLocalStorage();
});
afterEach(() => vi.unstubAllGlobals());

type AllSettings = ReturnType<SettingsService['all']['get']>;
const setting = (group_name: string, config_key: string, config_value: string): DatedSetting => ({
  group_name,
  config_key,
  config_value,
  since: null,
});

it('writes the storage setting to local storage under the specified key', () => {
  const all = writable<AllSettings>({ status: 'loading' });
  createStorageSettings(all);
  expect(storage.has('SAVE_SETTING')).toBe(false);
  const readStored = () => JSON.parse(storage.get('SAVE_SETTING') ?? '');
  all.set({ status: 'ready', value: [] });
  expect(readStored()).toEqual({ devcieSave: 1, appSave: 1, cloudSave: 1 });
  all.set({ status: 'ready', value: [setting('radio_save_style', 'app', '0')] });
  expect(readStored()).toEqual({ devcieSave: 1, appSave: 0, cloudSave: 1 });
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
  // Changes to other settings.
  set(setting('files', 'view', '{}'));
  set(setting('files', 'view', '{}'), setting('cloud_setting', 'wifi_only', '0'));
  expect(notifications).toBe(1);
  set(setting('radio_save_style', 'app', '0'));
  expect([notifications, storageSettings.save().appSave]).toEqual([2, 0]);
  stop();
});
