import { codes } from '@linnet/contract/codes';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { createFixtureServices, renderPage } from '../../testing/render-page.tsx';

afterEach(() => vi.restoreAllMocks());

/** Starts a search over Bluetooth, as in a browser that supports it. */
async function search(requested: Parameters<typeof createFixtureServices>[0]) {
  const services = createFixtureServices({ link: 'none', ...requested });
  const { user } = await renderPage('/pages/deviceConnect', services);
  await user.click(screen.getByTestId('way-web-bluetooth'));
  return user;
}

it('search results show proximity and availability', async () => {
  await search({ recorders: 'several' });
  const found = await screen.findAllByTestId('found-recorder');
  expect(found.map(({ textContent }) => textContent)).toEqual([
    // Bidi isolates keep the details from affecting each other's direction.
    'Linnet 1234\u2068LN24A7001234\u2069 · \u2068Very close\u2069 · \u2068Available\u2069',
    'Linnet 00A2\u2068LN24A70000A2\u2069 · \u2068Nearby\u2069 · \u2068Already paired\u2069',
    'Linnet 00B3\u2068Far away\u2069',
  ]);
});

it('an empty result offers advice', async () => {
  const user = await search({ recorders: 'nothing' });
  await screen.findByRole('heading', { level: 2, name: 'No recorders found' });
  screen.getByText(/Wake your recorder with a short press/);
  await user.click(screen.getByRole('button', { name: 'Search again' }));
  await screen.findByRole('heading', { level: 2, name: 'No recorders found' });
  await user.click(screen.getByRole('button', { name: 'Connect another way' }));
  await screen.findByTestId('way-web-bluetooth');
});

it.each([
  [
    'elsewhere',
    codes.deviceBoundElsewhere,
    'This recorder is paired with another account. Its owner needs to unpair it first.',
  ],
  [
    'unregistered',
    codes.deviceNotRegistered,
    'This recorder isn’t registered with your server. Send its serial number to your server’s admin.',
  ],
] as const)('reports why the server rejects a recorder: %s', async (failure, code, message) => {
  const user = await search({ failure, step: 'binding' });
  await user.click(await screen.findByTestId('found-recorder'));
  expect((await screen.findByTestId('error')).textContent).toBe(message);
  screen.getByText(`Code: ${code}`);
});

it('copies the serial number of an unregistered recorder, or shows it without a clipboard', async () => {
  const user = await search({ failure: 'unregistered', step: 'binding' });
  await user.click(await screen.findByTestId('found-recorder'));
  const notice = () => screen.getByRole('alert').textContent;
  await waitFor(() => expect(notice()).toMatch(/LN24A7001234.* copied/));
  expect(await navigator.clipboard.readText()).toBe('LN24A7001234');
  // Pages served over plain HTTP can't access the clipboard.
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue(undefined as never);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(notice()).toContain('Serial number: \u2068LN24A7001234\u2069'));
});

it('reports missing Bluetooth support', async () => {
  const services = createFixtureServices({ transports: 'virtual' });
  await renderPage('/pages/deviceConnect?another', services);
  const bluetooth = screen.getByTestId('way-web-bluetooth');
  expect(bluetooth.dataset.unavailable).toBe('true');
  expect(bluetooth.textContent).toContain(
    'This browser doesn’t support Bluetooth. Use Chrome or Edge on Android, Windows, macOS or Linux.',
  );
  expect(screen.getByTestId('way-websocket')).toHaveProperty('disabled', false);
});
