import { act, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ServerAddressService } from '../../ports/server-address.ts';
import { createFixtureServices, renderPage } from '../../testing/render-page.tsx';

it('ignores a late response from a previous address', async () => {
  const services = createFixtureServices({ account: 'out' });
  const slow = Promise.withResolvers<Awaited<ReturnType<ServerAddressService['find']>>>();
  const { user } = await renderPage('/pages/serverAddress', {
    ...services,
    address: {
      ...services.address,
      find: async (address) =>
        address === 'slow.example.org'
          ? slow.promise
          : { ok: true, data: { address: `https://${address}`, version: '1.0.77' } },
    },
  });
  const check = async (address: string) => {
    const field = screen.getByTestId('server-address');
    await user.clear(field);
    await user.type(field, address);
    await user.click(screen.getByTestId('ask-server'));
  };
  await check('slow.example.org');
  await check('wren.example.org');
  const found = await screen.findByTestId('found-server');
  expect(found.textContent).toContain('Linnet server 1.0.77');
  await act(async () => slow.resolve({ ok: false, failure: 'not_linnet' }));
  expect(screen.getByTestId('found-server').textContent).toContain('wren.example.org');
  expect(screen.queryByTestId('error')).toBeNull();
  // A response that isn't late is shown.
  await check('slow.example.org');
  await screen.findByTestId('error');
});
