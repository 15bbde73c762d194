import { openEmulatedLink } from '@linnet/device/testing';
import { expect, it } from 'vitest';
import type { AudioItem } from './packets.ts';
import { openOmiSession } from './session.ts';
import { EmulatedOmi } from './testing/emulated-omi.ts';

const open = (omi: EmulatedOmi) => openOmiSession(openEmulatedLink(omi), () => 0);

it('reads the recorder’s information', async () => {
  const { info, codec } = await open(new EmulatedOmi({ model: 'devkit2' }));
  expect(info).toEqual({
    manufacturer: 'Based Hardware',
    model: 'Omi DevKit 2',
    hardware: 'Seeed Xiao BLE Sense',
    firmware: '3.0.20',
  });
  expect(codec.id).toBe(20);
});

it('rejects an unknown codec and closes the link', async () => {
  const omi = new EmulatedOmi({ codec: 99 });
  await expect(open(omi)).rejects.toMatchObject({ code: 'codec_unknown' });
  expect(omi.isConnected).toBe(false);
});

it('reports changes of battery and charger', async () => {
  const omi = new EmulatedOmi();
  const { power } = await open(omi);
  expect(power.get()).toEqual({ level: 87, isCharging: false });
  omi.setBattery(86);
  omi.setCharging(true);
  expect(power.get()).toEqual({ level: 86, isCharging: true });
  omi.setBattery(101);
  expect(power.get().level).toBe(86);
});

it('reports button events, and ignores unknown ones', async () => {
  const omi = new EmulatedOmi();
  const session = await open(omi);
  const events: string[] = [];
  await session.onButton((event) => events.push(event));
  for (const event of [4, 5, 1, 2, 3, 0, 9]) omi.press(event);
  expect(events).toEqual(['pressed', 'released', 'tap', 'double_tap', 'long_press']);
});

it('stops the audio on request, so that the recorder stores what follows', async () => {
  const omi = new EmulatedOmi();
  const session = await open(omi);
  const items: AudioItem[] = [];
  const audio = await session.startAudio((next) => items.push(...next));
  omi.capture(Uint8Array.of(1, 2, 3));
  await audio.stop();
  omi.capture(Uint8Array.of(4, 5, 6));
  expect(items).toEqual([{ type: 'packet', bytes: Uint8Array.of(1, 2, 3) }]);
});
