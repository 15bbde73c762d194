import { codes } from '@linnet/contract/codes';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Services } from '../../ports/services.ts';
import { createFixtureServices, renderPage } from '../../testing/render-page.tsx';

it('lists the keyboard shortcuts, and disables them while the user types', async () => {
  const { user } = await renderPage('/pages/fileDetail?id=two');
  await screen.findAllByTestId('paragraph');
  await user.keyboard('?');
  await screen.findByTestId('shortcuts');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByTestId('shortcuts')).toBeNull());
  await user.keyboard('/');
  const field = await screen.findByTestId('find-wanted');
  await waitFor(() => expect(document.activeElement).toBe(field));
  await user.keyboard('m ?');
  expect(field).toHaveProperty('value', 'm ?');
  expect(screen.queryByTestId('shortcuts')).toBeNull();
  expect(screen.queryByTestId('toast')).toBeNull();
});

describe('keys of an input method do not act on', () => {
  /** Presses Enter and Escape as an input method does, during and directly after the composition of a word. */
  function pressInputMethodKeys(field: HTMLElement): void {
    for (const isComposing of [true, false]) {
      for (const key of ['Enter', 'Escape']) {
        fireEvent.keyDown(field, { key, isComposing, keyCode: 229 });
      }
    }
  }

  it.each([
    [
      'the title',
      async (user) => {
        await user.click(screen.getByRole('button', { name: 'Rename recording' }));
        return document.querySelector<HTMLElement>('.detail-title-input');
      },
    ],
    [
      'the search',
      async (user) => {
        await user.keyboard('/');
        return screen.findByTestId('find-wanted');
      },
    ],
    [
      'a paragraph',
      async (user) => {
        const [, second] = await screen.findAllByTestId('paragraph');
        await user.click(within(second as HTMLElement).getByTestId('paragraph-more'));
        await user.click((await screen.findAllByRole('menuitem'))[0] as HTMLElement);
        return screen.findByTestId('paragraph-editor');
      },
    ],
  ] satisfies [
    string,
    (user: Awaited<ReturnType<typeof renderPage>>['user']) => Promise<HTMLElement | null>,
  ][])('%s', async (_, openField) => {
    const { user } = await renderPage('/pages/fileDetail?id=two');
    await screen.findAllByTestId('paragraph');
    const field = await openField(user);
    if (!field) throw new Error('no field');
    await waitFor(() => expect(document.activeElement).toBe(field));
    fireEvent.change(field, { target: { value: 'かいぎ' } });
    pressInputMethodKeys(field);
    expect(field.isConnected).toBe(true);
    expect(field).toHaveProperty('value', 'かいぎ');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(field.isConnected).toBe(false));
    screen.getByRole('heading', { level: 1, name: 'Talk with the caretaker' });
  });
});

describe('a failed transcription', () => {
  /** Returns the services with a single recording, whose transcription has failed. */
  function withFailure(step: 'refused' | 'failed', code: number): Services {
    const services = createFixtureServices({});
    const [records, record] = [services.library.records.get(), services.library.record('trouble')];
    const opened = record.get();
    if (records.status !== 'ready' || opened.status !== 'ready' || !opened.value)
      throw new Error('no recording');
    const failure = { kind: 'server', code, msg: 'In English.' } as const;
    const problem = { step: 'transcribe', code: step, failure } as const;
    const listed = records.value.filter(({ id }) => id === 'trouble');
    const list = { status: 'ready', value: listed.map((each) => ({ ...each, problem })) } as const;
    const detail = { status: 'ready', value: { ...opened.value, problem } } as const;
    const subscribe = () => () => {};
    const library = {
      ...services.library,
      records: { get: () => list, subscribe },
      record: () => ({ get: () => detail, subscribe }),
    };
    return { ...services, library };
  }

  it.each([
    [
      'failed',
      codes.audioTooShort,
      'Couldn’t transcribe the recording',
      'The audio is too short to transcribe',
    ],
    [
      'failed',
      codes.audioUnreadable,
      'Couldn’t transcribe the recording',
      'The server couldn’t read this recording’s audio. Nothing was deleted.',
    ],
    [
      'refused',
      codes.languageUnavailable,
      'Couldn’t start the transcription',
      'Your server can’t transcribe this language. No minutes were used.',
    ],
  ] as const)(
    'shows a title in Files, and its reason on its page: %s with code %d',
    async (problemCode, code, title, reason) => {
      const { user } = await renderPage('/pages/files', withFailure(problemCode, code));
      const row = await screen.findByTestId('record-row');
      within(row).getByRole('button', { name: `Stopped: ${title}. Try again` });
      await user.click(row.querySelector('.row-link') as Element);
      const notice = await screen.findByRole('alert');
      expect(within(notice).getByTestId('error').textContent).toBe(title);
      within(notice).getByText(reason);
      within(notice).getByText(`Code: ${code}`);
    },
  );
});

describe('the analysis', () => {
  it('formats amounts as currency', async () => {
    await renderPage('/pages/fileDetail?id=done&tab=finance');
    await screen.findAllByTestId('understood-item');
    const amounts = [...document.querySelectorAll('.finance-amount')];
    expect(amounts.map(({ textContent }) => textContent)).toEqual([
      '€420',
      '€85.50',
      'Amount not mentioned',
    ]);
  });

  it.each([
    ['questions', 'No questions found', false],
    ['todos', 'To-dos aren’t available', true],
    ['finance', 'Amounts aren’t available', true],
  ])('explains why the list of %s is empty', async (tab, title, isUnsupported) => {
    await renderPage(`/pages/fileDetail?id=nothing-listed&tab=${tab}`);
    await screen.findByRole('heading', { name: title });
    const explanation = document.querySelector('.empty')?.textContent ?? '';
    expect(explanation.includes('Thai')).toBe(isUnsupported);
  });
});
