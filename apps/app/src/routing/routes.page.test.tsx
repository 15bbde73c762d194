import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { paths } from '../page-kit/paths.ts';
import { createFixtureServices, renderPage } from '../testing/render-page.tsx';
import { type PageEntry, pageNames, pageTable } from './page-table.ts';

const pathsWithAccess = (access: PageEntry['access']) =>
  pageNames.filter((name) => pageTable[name].access === access).map((name) => paths[name]);

describe('a signed-out user', () => {
  it.each([
    ...pathsWithAccess('signed-in'),
    `${paths.fileDetail}?id=a+b&tab=audio`,
    `${paths.chooseLocation}?id=1`,
    `${paths.openLocation}?id=1`,
    `${paths.payResult}?order=1`,
  ])('is redirected from %s to sign-in, which returns to the page', async (path) => {
    const { address } = await renderPage(path, createFixtureServices({ account: 'out' }));
    await screen.findByRole('heading', { level: 1, name: 'Sign in' });
    expect(address()).toBe(`/?next=${encodeURIComponent(path)}`);
  });
});

describe('a signed-in user', () => {
  it.each([
    ...pathsWithAccess('signed-out').map((path) => [path, paths.files] as const),
    ['/pages/index?next=%2Fpages%2Fvip', paths.vip],
    ['/pages/register?next=%2Fpages%2Fvip', paths.vip],
    ['/?next=%2Fpages%2Fvip', paths.vip],
    // Only pages of the app are opened after a sign-in.
    ['/pages/index?next=https%3A%2F%2Fexample.org%2Fpages%2Fvip', paths.files],
    ['/pages/index?next=%2F%2Fexample.org%2Fpages%2Fvip', paths.files],
  ] satisfies (readonly [string, string])[])(
    'is redirected from %s to %s',
    async (path, destination) => {
      const { address } = await renderPage(path);
      await waitFor(() => expect(address()).toBe(destination));
    },
  );
});
