import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createFixtureServices, renderPage } from '../../testing/render-page.tsx';

/** Starts a search over Bluetooth, as in a browser that supports it. */
async function search(recorders: string) {
  const services = createFixtureServices({ link: 'none', recorders });
  const { user } = await renderPage('/pages/deviceConnect', services);
  await user.click(screen.getByTestId('way-web-bluetooth'));
  return user;
}

it('search results show proximity and availability', async () => {
  await search('several');
  const found = await screen.findAllByTestId('found-recorder');
  expect(found.map(({ textContent }) => textContent)).toEqual([
    // Bidi isolates keep the details from affecting each other's direction.
    'Linnet 1234\u2068LN24A7001234\u2069 · \u2068Very close\u2069 · \u2068Available\u2069',
    'Linnet 00A2\u2068LN24A70000A2\u2069 · \u2068Nearby\u2069 · \u2068Already paired\u2069',
    'Linnet 00B3\u2068Far away\u2069',
  ]);
});

it('an empty result offers advice', async () => {
  const user = await search('nothing');
  await screen.findByRole('heading', { level: 2, name: 'No recorders found' });
  screen.getByText(/Wake your recorder with a short press/);
  await user.click(screen.getByRole('button', { name: 'Search again' }));
  await screen.findByRole('heading', { level: 2, name: 'No recorders found' });
  await user.click(screen.getByRole('button', { name: 'Connect another way' }));
  await screen.findByTestId('way-web-bluetooth');
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
