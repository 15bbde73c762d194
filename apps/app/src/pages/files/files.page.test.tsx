import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ServerInfo } from '../../ports/server.ts';
import { createFixtureServices, renderPage } from '../../testing/render-page.tsx';

describe('the selection', () => {
  const head = () => screen.queryByTestId('selection-head')?.textContent ?? '';

  it('works with keyboard and mouse as in desktop apps', async () => {
    const services = createFixtureServices({});
    const records = services.library.records.get();
    const total =
      records.status === 'ready'
        ? records.value.filter(({ is_archived: archived }) => archived === 0).length
        : 0;
    const { user, address } = await renderPage('/pages/files', services);
    const link = async (index: number) =>
      (await screen.findAllByTestId('record-row'))[index]?.querySelector('.row-link') as Element;
    await user.keyboard('{Control>}');
    await user.click(await link(0));
    await user.keyboard('{/Control}{Shift>}');
    await user.click(await link(2));
    await user.keyboard('{/Shift}');
    expect(head()).toContain('3 selected');
    await user.keyboard('{Control>}a{/Control}');
    expect(head()).toContain(`${total} selected`);
    await user.keyboard('{Control>}a{/Control}');
    expect(head()).toContain('0 selected');
    const [first] = screen.getAllByRole('checkbox');
    first?.focus();
    await user.keyboard(' ');
    expect(head()).toContain('1 selected');
    await user.keyboard('{Escape}');
    expect(screen.queryByTestId('selection-head')).toBeNull();
    await user.keyboard('/');
    await waitFor(() => expect(address()).toBe('/pages/search'));
  });

  it('has no actions while it is empty', async () => {
    const { user } = await renderPage('/pages/files');
    await screen.findAllByTestId('record-row');
    await user.click(screen.getByTestId('files-menu'));
    await user.click(await screen.findByRole('menuitem', { name: 'Select recordings' }));
    await waitFor(() => expect(head()).toContain('0 selected'));
    const expectDisabled = (isDisabled: boolean) => {
      for (const action of ['tag', 'export', 'archive', 'bin']) {
        const button = screen.getByTestId(`selection-${action}`);
        expect(button, action).toHaveProperty('disabled', isDisabled);
      }
    };
    expectDisabled(true);
    await user.click(screen.getAllByRole('checkbox')[0] as HTMLElement);
    expectDisabled(false);
  });
});

it.each([
  ['es', 'Transcribiremos la grabación automáticamente'],
  ['en', 'este servidor no puede transcribir tu idioma'],
])(
  'promises a transcript in Spanish only if the server transcribes the language of the app, not just %s',
  async (language, words) => {
    const services = createFixtureServices({ records: 'empty', link: 'none' });
    const state = services.server.get();
    const serverInfo = {
      ...(state.status === 'unknown' ? null : state.info),
      languages: [{ language, engine: 'an engine', quality: 'good' }],
    } as ServerInfo;
    const reachable = { status: 'reachable', info: serverInfo } as const;
    const server = { get: () => reachable, subscribe: () => () => {} };
    await renderPage('/pages/files', { ...services, server }, { language: 'es' });
    await waitFor(() => expect(document.querySelector('.empty')?.textContent).toContain(words));
  },
);
