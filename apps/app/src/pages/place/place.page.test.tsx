import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createFixtureServices, renderPage } from '../../testing/render-page.tsx';

it('a denied position permission shows advice, and coordinates still work', async () => {
  const services = createFixtureServices({});
  const { user } = await renderPage('/pages/choose-location?id=done', {
    ...services,
    position: { current: async () => ({ ok: false, failure: 'refused' }) },
  });
  await user.click(screen.getByTestId('here'));
  expect((await screen.findByTestId('error')).textContent).toContain(
    'Linnet can’t access your location',
  );
  expect(screen.getByTestId('place-save')).toHaveProperty('disabled', true);
  await user.type(screen.getByTestId('coordinates'), '0, 0');
  expect(screen.getByTestId('place-save')).toHaveProperty('disabled', false);
});
