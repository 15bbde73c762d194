import { writable } from '@linnet/base';
import { act, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createFixtureServices, renderPage } from '../../testing/render-page.tsx';

it('search works by keyboard alone', async () => {
  const { user, address } = await renderPage('/pages/search');
  const input = screen.getByTestId('search-input');
  expect(document.activeElement).toBe(input);
  await user.keyboard('concert');
  const [first] = await screen.findAllByTestId('found');
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(first?.querySelector('.found-name'));
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(first?.querySelector('.found-match'));
  await user.keyboard('{ArrowUp}{ArrowUp}');
  expect(document.activeElement).toBe(input);
  await user.keyboard('{Escape}');
  expect(input).toHaveProperty('value', '');
  await waitFor(() => expect(screen.queryAllByTestId('found')).toEqual([]));
  await user.keyboard('concert');
  await screen.findAllByTestId('found');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(address()).toBe('/pages/fileDetail?id=done'));
});

it('shows a note while only the phone is searched', async () => {
  const services = createFixtureServices({ searchResults: 'offline' });
  const offline = services.search.find('concert', 30).get();
  if (offline.status !== 'ready') throw new Error('no results');
  const results = writable<typeof offline>(offline);
  const search = { find: () => results };
  await renderPage('/pages/search?q=concert', { ...services, search });
  expect(await screen.findAllByTestId('found')).toHaveLength(3);
  screen.getByTestId('only-phone');
  act(() => results.set({ ...offline, value: { ...offline.value, server: 'done' } }));
  expect(screen.queryByTestId('only-phone')).toBeNull();
  expect(screen.getAllByTestId('found')).toHaveLength(3);
});
