import { writable } from '@linnet/base';
import { DeviceError, type RecorderSession, type RecorderSettings } from '@linnet/device/session';
import { expect, it } from 'vitest';
import type { ConnectedRecorder } from '../../ports/recorder.ts';
import type { Connection } from './connection.ts';
import { createSettingsWriter } from './settings-writer.ts';

const initialSettings: RecorderSettings = {
  recLedStatus: true,
  recScene: 'note',
  recMode: 'normal',
  dmicMode: 0,
  micGain: 'normal',
};

/** Returns a connection that records its commands. The test resolves the response to each. */
function createFakeConnection() {
  const commands: unknown[] = [];
  const responses: PromiseWithResolvers<void>[] = [];
  const send = (command: unknown) => {
    commands.push(command);
    const response = Promise.withResolvers<void>();
    responses.push(response);
    return response.promise;
  };
  const view = writable({ settings: initialSettings } as ConnectedRecorder);
  let statusReads = 0;
  const connection = {
    session: { set: send, setLight: send } as Partial<RecorderSession>,
    view,
    runOptional: (_name, run) => run(),
    readStatus: async () => {
      statusReads += 1;
    },
  } as Connection;
  return { commands, responses, connection, view, statusReads: () => statusReads };
}

it('applies each change on top of the previous one', async () => {
  const { commands, responses, connection, view } = createFakeConnection();
  const writer = createSettingsWriter();
  const changes = [
    writer.change(connection, { micGain: 'high' }),
    writer.change(connection, { recScene: 'call' }),
    writer.change(connection, { recLedStatus: false }),
  ];
  const expected = [
    { ...initialSettings, micGain: 'high' },
    { ...initialSettings, micGain: 'high', recScene: 'call' },
    // The light has its own command with a single value.
    false,
  ];
  for (const [index, settings] of expected.entries()) {
    await expect.poll(() => commands).toHaveLength(index + 1);
    expect(commands[index]).toEqual(settings);
    responses[index]?.resolve();
  }
  expect(await Promise.all(changes)).toEqual(changes.map(() => ({ ok: true, data: null })));
  expect(view.get().settings).toEqual({
    ...initialSettings,
    micGain: 'high',
    recScene: 'call',
    recLedStatus: false,
  });
});

it('reads the settings from the recorder after a timeout and applies the next change', async () => {
  const { commands, responses, connection, view, statusReads } = createFakeConnection();
  const writer = createSettingsWriter();
  const lostChange = writer.change(connection, { micGain: 'low' });
  const next = writer.change(connection, { dmicMode: 2 });
  await expect.poll(() => commands).toHaveLength(1);
  responses[0]?.reject(new DeviceError('timeout'));
  expect(await lostChange).toEqual({ ok: false, failure: { kind: 'device', code: 'timeout' } });
  expect(statusReads()).toBe(1);
  await expect.poll(() => commands).toHaveLength(2);
  responses[1]?.resolve();
  expect(await next).toEqual({ ok: true, data: null });
  expect(view.get().settings).toEqual({ ...initialSettings, dmicMode: 2 });
});
