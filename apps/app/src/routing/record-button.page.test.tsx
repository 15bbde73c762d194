import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createFixtureServices, renderPage } from '../testing/render-page.tsx';

/** The reasons why a recorder can't start recording, with the specification's error numbers. */
const refusals = [
  [-1, 'Bluetooth isn’t working properly'],
  [1, 'The recorder is full'],
  [2, 'The recorder is plugged in as a USB drive'],
  [3, 'The recorder has a hardware problem'],
  [4, 'The recorder is busy'],
  [5, 'The recorder is in Wi-Fi mode and can’t record'],
  [6, 'The recording has stopped'],
  [7, 'The recorder is waiting to be paired'],
] as const;

it.each(refusals)('reports why a recording cannot start, code %s: %s', async (code, words) => {
  const services = createFixtureServices({});
  const refuse = async () => ({ ok: false, failure: { kind: 'recording', code } }) as const;
  const recorder = { ...services.recorders.of('linnet'), start: refuse };
  const { user } = await renderPage('/pages/files', {
    ...services,
    recorders: { ...services.recorders, of: () => recorder },
  });
  const button = await screen.findByTestId('record-button');
  expect(button.dataset.state).toBe('idle');
  await user.click(button);
  const toast = await screen.findByTestId('toast');
  expect(toast.textContent).toContain(words);
  expect(toast.dataset.kind).toBe('error');
  expect(button.dataset.state).toBe('idle');
  expect(button.dataset.busy).toBeUndefined();
});

it('reports that a recorder is unavailable, without sending a command', async () => {
  const { user } = await renderPage('/pages/files', createFixtureServices({ link: 'unavailable' }));
  await user.click(await screen.findByTestId('record-button'));
  const toast = await screen.findByTestId('toast');
  expect(toast.textContent).toContain('The recording button isn’t available right now');
});
