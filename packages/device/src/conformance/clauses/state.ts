/** Clauses about status, time and settings, on an authenticated link. */
import { COMMANDS, type RequestOf, type ResponseOf } from '../../codec/index.ts';
import type { Clause } from '../clause.ts';
import type { Probe } from '../probe.ts';
import { expectEqual, expectThat, NotTested } from '../verdict.ts';

type Settings = RequestOf<'generalSetting'>;
const MAX_PERCENT = 100;

function pickSettings(status: ResponseOf<'status'>): Settings {
  const { recLedStatus, recScene, recMode, dmicMode, micGain } = status;
  return { recLedStatus, recScene, recMode, dmicMode, micGain };
}

/** Returns settings that differ in every field that all recorders must store. */
function invertSettings(settings: Settings): Settings {
  return {
    recLedStatus: !settings.recLedStatus,
    recScene: settings.recScene === 'meeting' ? 'call' : 'meeting',
    recMode: settings.recMode === 'normal' ? 'call' : 'normal',
    dmicMode: settings.dmicMode,
    micGain: settings.micGain === 'high' ? 'low' : 'high',
  };
}

function expectSettings(received: Settings, expected: Settings, source: string): void {
  for (const [name, value] of Object.entries(expected)) {
    expectEqual(`${name} ${source}`, received[name as keyof Settings], value);
  }
}

/** Reads the LED setting from `ledGet` and from `status`. */
async function readLight(probe: Probe): Promise<readonly [boolean, boolean]> {
  const { recLedStatus: read } = await probe.succeedIfOffered('ledGet', {});
  const { recLedStatus: inStatus } = await probe.succeed('status', {});
  return [read, inStatus];
}

export const stateClauses: readonly Clause[] = [
  {
    id: 'authentication',
    section: '3-a-conversation',
    title: 'opens a link with a handshake, then a token or channel, then timeSync',
    requires: 'required',
    async check(bench) {
      bench.getFacts();
      await bench.authenticate();
    },
  },
  {
    id: 'unknown-command',
    section: '3-a-conversation',
    title: 'refuses an unknown command on an authenticated link (32)',
    requires: 'required',
    async check(bench) {
      const probe = await bench.getLink();
      await probe.expectRawRefusal({ command: 0xff }, 'command_unknown', 'command 0xff');
    },
  },
  {
    id: 'status',
    section: 'status--0x06',
    title: 'reports its status, with percentages up to 100 and no more free space than total space',
    requires: 'required',
    async check(bench) {
      const probe = await bench.getLink();
      const { level, useRate, free, totalSpace } = await probe.succeed('status', {});
      expectThat(level <= MAX_PERCENT, 'a battery level of at most 100', `${level}`);
      expectThat(free <= totalSpace, 'no more free space than total space', `${free}`);
      const usedPercent =
        totalSpace === 0 ? useRate : Math.ceil((100 * (totalSpace - free)) / totalSpace);
      // Sizes are rounded to KiB, which may change the share by one percent.
      const isPlausible = Math.abs(useRate - usedPercent) <= 1 && useRate <= MAX_PERCENT;
      expectThat(isPlausible, `a useRate of ${usedPercent}, rounded up`, `${useRate}`);
    },
  },
  {
    id: 'status.idle',
    section: 'status--0x06',
    title: "reports the button's settings as mode and scene while idle",
    requires: 'required',
    async check(bench) {
      const probe = await bench.getLink();
      const status = await probe.succeed('status', {});
      if (status.recording !== 'idle') throw new NotTested(`the recorder is ${status.recording}`);
      expectEqual('mode', status.mode, status.recMode);
      expectEqual('scene', status.scene, status.recScene);
    },
  },
  {
    id: 'serial',
    section: 'serial--0x07',
    title: 'reports the same serial number as the handshake',
    requires: 'optional',
    async check(bench) {
      const probe = await bench.getLink();
      const { sn } = await probe.succeedIfOffered('serial', {});
      expectEqual('the serial number', sn, bench.getFacts().info.sn);
    },
  },
  {
    id: 'storage',
    section: 'storagevolume--0x30',
    title: 'reports the same storage as status',
    requires: 'optional',
    async check(bench) {
      const probe = await bench.getLink();
      const storage = await probe.succeedIfOffered('storageVolume', {});
      const status = await probe.succeed('status', {});
      expectEqual('totalSpace', storage.totalSpace, status.totalSpace);
      expectEqual('isFull', storage.isFull, status.isFull);
    },
  },
  {
    id: 'battery',
    section: 'battery--0x32',
    title: 'reports a battery level of at most 100',
    requires: 'optional',
    async check(bench) {
      const probe = await bench.getLink();
      const { level } = await probe.succeedIfOffered('battery', {});
      expectThat(level <= MAX_PERCENT, 'a battery level of at most 100', `${level}`);
    },
  },
  {
    id: 'settings',
    section: 'generalsetting--0x31',
    title: 'stores all settings and returns them in status; the check restores them',
    requires: 'optional',
    async check(bench) {
      const probe = await bench.getLink();
      const statusBefore = await probe.succeed('status', {});
      const requested = invertSettings(pickSettings(statusBefore));
      bench.savedSettings ??= pickSettings(statusBefore);
      await probe.succeedIfOffered('generalSetting', requested);
      const statusAfter = await probe.succeed('status', {});
      await probe.succeed('generalSetting', pickSettings(statusBefore));
      const restored = await probe.succeed('status', {});
      expectSettings(pickSettings(statusAfter), requested, 'from status');
      expectSettings(
        pickSettings(restored),
        pickSettings(statusBefore),
        'from status, once restored',
      );
      if (statusAfter.recording !== 'idle') return;
      expectEqual('mode from status', statusAfter.mode, requested.recMode);
      expectEqual('scene from status', statusAfter.scene, requested.recScene);
    },
  },
  {
    id: 'settings.report',
    section: 'settingschanged--4104',
    title: 'reports every change of the settings (4104)',
    requires: 'optional',
    async check(bench) {
      const probe = await bench.getLink();
      const settings = pickSettings(await probe.succeed('status', {}));
      const receivedBefore = probe.received.length;
      await probe.succeedIfOffered('generalSetting', settings);
      expectSettings(
        await probe.waitForReport('settingsChanged', receivedBefore),
        settings,
        'in report 4104',
      );
    },
  },
  {
    id: 'settings.malformed',
    section: '5-field-types',
    title: 'refuses a request with an undefined enum value (33), and changes nothing',
    requires: 'optional',
    async check(bench) {
      const probe = await bench.getLink();
      const settingsBefore = pickSettings(await probe.succeed('status', {}));
      bench.savedSettings ??= settingsBefore;
      await probe.succeedIfOffered('generalSetting', settingsBefore);
      const { number: command } = COMMANDS.generalSetting;
      const payload = Uint8Array.of(settingsBefore.recLedStatus ? 0 : 1, 9, 0, 0, 1);
      await probe.expectRawRefusal(
        { command, payload },
        'request_malformed',
        'generalSetting with scene 9',
      );
      const settingsAfter = pickSettings(await probe.succeed('status', {}));
      expectSettings(settingsAfter, settingsBefore, 'from status, after a malformed request');
    },
  },
  {
    id: 'led',
    section: 'ledset--0x34',
    title: 'switches the light, and returns its state in ledGet and status; the check restores it',
    requires: 'optional',
    async check(bench) {
      const probe = await bench.getLink();
      const status = await probe.succeed('status', {});
      const { recLedStatus: before } = status;
      bench.savedSettings ??= pickSettings(status);
      await probe.succeedIfOffered('ledSet', { recLedStatus: !before });
      const [read, inStatus] = await readLight(probe).finally(() =>
        probe.succeed('ledSet', { recLedStatus: before }),
      );
      expectEqual('recLedStatus from ledGet', read, !before);
      expectEqual('recLedStatus from status', inStatus, !before);
    },
  },
  {
    id: 'usage',
    section: 'usagestatistics--0x60',
    title: 'reports its usage counters',
    requires: 'optional',
    async check(bench) {
      const probe = await bench.getLink();
      await probe.succeedIfOffered('usageStatistics', {});
    },
  },
  {
    id: 'operations',
    section: 'operationdata--0x61',
    title: 'returns its log in pages, oldest entry first',
    requires: 'optional',
    async check(bench) {
      const probe = await bench.getLink();
      let last = 0;
      for (;;) {
        const { more, items } = await probe.succeedIfOffered('operationData', { afterEntry: last });
        for (const { entry } of items) {
          expectThat(entry > last, `an entry after ${last}`, `entry ${entry}`);
          last = entry;
        }
        if (!more) return;
        expectThat(items.length > 0, 'entries on a page with more to follow', 'none');
      }
    },
  },
  {
    id: 'networks',
    section: 'wifisearch--0x42',
    title: 'lists the networks in range, strongest first',
    requires: 'optional',
    async check(bench) {
      const probe = await bench.getLink();
      const { networks } = await probe.succeedIfOffered('wifiSearch', {});
      const signals = networks.map(({ rssi }) => rssi);
      const sorted = [...signals].sort((a, b) => b - a);
      expectEqual('the signals in dBm', signals.join(', '), sorted.join(', '));
    },
  },
];
