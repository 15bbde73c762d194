import { writable } from '@linnet/base';
import type { DatedSetting } from '@linnet/sync';
import { expect, it } from 'vitest';
import type { SettingsService } from '../../ports/settings.ts';
import { createKeeping } from './keeping.ts';

type All = ReturnType<SettingsService['all']['get']>;
const of = (group_name: string, config_key: string, config_value: string): DatedSetting => ({
  ...{ group_name, config_key, config_value, since: null },
});

it('tells of what is to be kept, and of nothing else: each word of it has everything looked at again', () => {
  const all = writable<All>({ status: 'loading' });
  const keeping = createKeeping(all);
  let told = 0;
  const stop = keeping.subscribe(() => {
    told += 1;
  });
  expect(keeping.cloud()).toBeNull();
  const set = (...value: DatedSetting[]) => all.set({ status: 'ready', value });
  set();
  expect([told, keeping.cloud()?.autoSync]).toEqual([1, true]);
  // Read again after a change of something else.
  set(of('files', 'view', '{}'));
  set(of('files', 'view', '{}'), of('cloud_setting', 'wifi_only', '0'));
  expect(told).toBe(1);
  set(of('radio_save_style', 'app', '0'));
  expect([told, keeping.save().appSave]).toEqual([2, 0]);
  stop();
});
