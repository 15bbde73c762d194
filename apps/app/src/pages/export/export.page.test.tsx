import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Services } from '../../ports/services.ts';
import { createFixtureServices, renderPage } from '../../testing/render-page.tsx';

/** Opens the export sheet of a recording. */
async function openSheet(services: Services) {
  const { user } = await renderPage('/pages/fileDetail?id=done', services);
  await user.click(await screen.findByTestId('export'));
  return { user, sheet: within(await screen.findByRole('dialog')) };
}

it('every format but plain text is locked without membership', async () => {
  const { user, sheet } = await openSheet(createFixtureServices({ plan: 'none' }));
  const select = async (format: string) =>
    user.click(within(await sheet.findByTestId(`format-${format}`)).getByRole('radio'));
  for (const format of ['md', 'docx', 'pdf', 'srt', 'vtt', 'json']) {
    await select(format);
    const locked = sheet.queryByTestId('export-locked')?.textContent;
    expect(locked, format).toContain('VIP feature');
    expect(sheet.queryByTestId('export-save'), format).toBeNull();
    expect(sheet.queryByTestId('export-print'), format).toBeNull();
  }
  await select('txt');
  expect(sheet.queryByTestId('export-locked')).toBeNull();
  sheet.getByTestId('export-save');
});

it('the keyboard changes an option, and closes the sheet', async () => {
  const { user, sheet } = await openSheet(createFixtureServices({}));
  const box = within(await sheet.findByTestId('with-times')).getByRole('checkbox');
  const wasChecked = (box as HTMLInputElement).checked;
  box.focus();
  await user.keyboard(' ');
  expect(box).toHaveProperty('checked', !wasChecked);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.activeElement).toBe(screen.getByTestId('export'));
});
