import { writable } from '@linnet/base';
import { DeviceError, type RecorderSession, type RecorderSettings } from '@linnet/device/session';
import { expect, it } from 'vitest';
import type { ConnectedRecorder } from '../../ports/recorder.ts';
import type { Connection } from './connection.ts';
import { createSettingsWriter } from './settings-writer.ts';

const before: RecorderSettings = {
  recLedStatus: true,
  recScene: 'note',
  recMode: 'normal',
  dmicMode: 0,
  micGain: 'normal',
};

/** A recorder that answers when the test says so, with a record of its commands. */
function connected() {
  const commands: unknown[] = [];
  const answers: PromiseWithResolvers<void>[] = [];
  const ask = (what: unknown) => {
    commands.push(what);
    const answer = Promise.withResolvers<void>();
    answers.push(answer);
    return answer.promise;
  };
  const view = writable({ settings: before } as ConnectedRecorder);
  let statusRead = 0;
  const connection = {
    session: { set: ask, setLight: ask } as Partial<RecorderSession>,
    view,
    readStatus: async () => {
      statusRead += 1;
    },
  } as Connection;
  return { commands, answers, connection, view, statusRead: () => statusRead };
}

it('bases each change on the previous one', async () => {
  const { commands, answers, connection, view } = connected();
  const keeper = createSettingsWriter();
  const changes = [
    keeper.change(connection, { micGain: 'high' }),
    keeper.change(connection, { recScene: 'call' }),
    keeper.change(connection, { recLedStatus: false }),
  ];
  const expected = [
    { ...before, micGain: 'high' },
    { ...before, micGain: 'high', recScene: 'call' },
    // Only the LED has a command of its own.
    false,
  ];
  for (const [index, settings] of expected.entries()) {
    await expect.poll(() => commands).toHaveLength(index + 1);
    expect(commands[index]).toEqual(settings);
    answers[index]?.resolve();
  }
  expect(await Promise.all(changes)).toEqual(changes.map(() => ({ ok: true, data: null })));
  expect(view.get().settings).toEqual({
    ...before,
    ...{ micGain: 'high', recScene: 'call', recLedStatus: false },
  });
});

it('reads the recorder’s settings after an unanswered change, and continues', async () => {
  const { commands, answers, connection, view, statusRead } = connected();
  const keeper = createSettingsWriter();
  const lost = keeper.change(connection, { micGain: 'low' });
  const next = keeper.change(connection, { dmicMode: 2 });
  await expect.poll(() => commands).toHaveLength(1);
  answers[0]?.reject(new DeviceError('timeout'));
  expect(await lost).toEqual({ ok: false, failure: { kind: 'device', code: 'timeout' } });
  expect(statusRead()).toBe(1);
  await expect.poll(() => commands).toHaveLength(2);
  answers[1]?.resolve();
  expect(await next).toEqual({ ok: true, data: null });
  expect(view.get().settings).toEqual({ ...before, dmicMode: 2 });
});
