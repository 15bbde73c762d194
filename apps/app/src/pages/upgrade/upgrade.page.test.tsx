import { writable } from '@linnet/base';
import { FIRMWARE_ERROR_CODES } from '@linnet/device/session';
import { act, screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { expect, it } from 'vitest';
import { describeFirmwareFailure } from '../../i18n/failures.ts';
import type { FirmwareUpdate } from '../../ports/firmware.ts';
import type { ConnectedRecorder, LinkState } from '../../ports/recorder.ts';
import { createFixtureServices, renderPage } from '../../testing/render-page.tsx';

it('shows that the server offers no firmware', async () => {
  await renderPage('/pages/upgrade', createFixtureServices({ firmware: 'none' }));
  screen.getByRole('heading', { level: 2, name: 'No firmware available' });
  screen.getByText('Current version: 2.3.1');
});

it('reports an unreachable server', async () => {
  await renderPage('/pages/upgrade', createFixtureServices({ firmware: 'failed' }));
  expect(screen.getByTestId('error').textContent).toContain('Couldn’t check for new firmware');
  screen.getByRole('button', { name: 'Check again' });
});

it('shows the message and code of every rejection, and offers the update again', async () => {
  const services = createFixtureServices({});
  const update = writable<FirmwareUpdate>({ status: 'idle' });
  let started = 0;
  const firmware = {
    ...services.recorder.firmware,
    update,
    async start() {
      const code = FIRMWARE_ERROR_CODES[started];
      started += 1;
      if (!code) throw new Error('too many updates');
      const failure = { kind: 'refused', code, number: started } as const;
      update.set({ status: 'failed', sn: 'LN24A7001234', percent: 0, failure });
    },
    dismiss: () => update.set({ status: 'idle' }),
  };
  const { user } = await renderPage('/pages/upgrade', {
    ...services,
    recorder: { ...services.recorder, firmware },
  });
  for (const [index, code] of FIRMWARE_ERROR_CODES.entries()) {
    const failure = { kind: 'refused', code, number: index + 1 } as const;
    const text = describeFirmwareFailure(i18next.getFixedT('en'), failure);
    await user.click(screen.getByTestId('update'));
    expect((await screen.findByTestId('error')).textContent).toBe(text.message);
    screen.getByText(`Code: ${text.code}`);
    screen.getByText(/It’s still on version 2\.3\.1/);
    await user.click(screen.getByTestId('dismiss'));
    expect(screen.getByTestId('update')).toHaveProperty('disabled', false);
  }
});

it('shows that nothing was sent if the image is damaged', async () => {
  const services = createFixtureServices({});
  const failure = { kind: 'damaged' } as const;
  const update = writable<FirmwareUpdate>({ status: 'failed', sn: null, percent: 0, failure });
  const firmware = { ...services.recorder.firmware, update };
  await renderPage('/pages/upgrade', {
    ...services,
    recorder: { ...services.recorder, firmware },
  });
  expect(screen.getByTestId('error').textContent).toBe('The firmware from your server is damaged');
  screen.getByText(/Nothing was sent to the recorder/);
});

it('an update does not start with a low battery or during a recording', async () => {
  const services = createFixtureServices({});
  const connected = services.recorder.link.get();
  if (connected.status !== 'connected') throw new Error('the recorder is not connected');
  const link = writable<LinkState>(connected);
  const change = (changed: Partial<ConnectedRecorder>) =>
    act(() => link.set({ ...connected, recorder: { ...connected.recorder, ...changed } }));
  await renderPage('/pages/upgrade', { ...services, recorder: { ...services.recorder, link } });
  const expectBlocked = (reason: string | null) => {
    expect(screen.queryByTestId('error')?.textContent ?? null).toBe(reason);
    expect(screen.getByTestId('update')).toHaveProperty('disabled', reason !== null);
  };
  await waitFor(() => expectBlocked(null));
  change({ battery: { charging: false, level: 19 } });
  expectBlocked('The battery is too low to update the firmware');
  change({ battery: { charging: false, level: 80 } });
  expectBlocked(null);
  const recording = { mode: 'normal', scene: 'note', startedAt: 0, pausedAt: null } as const;
  change({ recording: { state: 'recording', sessionId: 1, ...recording } });
  expectBlocked('The recorder is recording');
  change({ recording: { state: 'idle' } });
  expectBlocked(null);
});
