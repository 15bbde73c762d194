import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createFixtureServices, renderPage } from '../../testing/render-page.tsx';

it('Files reports what rules moved, with a link to the run', async () => {
  await renderPage('/pages/files', createFixtureServices({ bin: 'moved' }));
  expect((await screen.findByTestId('moved-notice')).textContent).toContain(': 4');
  expect(screen.getByTestId('show-moved').getAttribute('href')).toMatch(/retention\?run=run/);
});

it('Files reports nothing if rules moved nothing', async () => {
  await renderPage('/pages/files');
  await screen.findAllByTestId('record-row');
  expect(screen.queryByTestId('moved-notice')).toBeNull();
});

it('the recycle bin marks moved recordings, and counts them before it is emptied', async () => {
  const { user } = await renderPage('/pages/recycleBin', createFixtureServices({ bin: 'moved' }));
  const rows = await screen.findAllByTestId('record-row');
  const moved = rows.filter((row) => row.textContent?.includes('Moved automatically'));
  expect(rows).toHaveLength(6);
  expect(moved).toHaveLength(4);
  await user.click(screen.getByTestId('bin-empty'));
  expect((await screen.findByTestId('ask-moved')).textContent).toContain(': 4.');
});

it('the recycle bin counts no moved recordings if there are none', async () => {
  const { user } = await renderPage('/pages/recycleBin');
  await user.click(await screen.findByTestId('bin-empty'));
  await screen.findByRole('alertdialog');
  expect(screen.queryByTestId('ask-moved')).toBeNull();
});

it('a paused rule is confirmed after its preview, which has pages', async () => {
  const { user } = await renderPage('/pages/retention', createFixtureServices({ rules: 'paused' }));
  const [first, ...others] = await screen.findAllByTestId('check-rule');
  expect(others).toHaveLength(1);
  await user.click(first as HTMLElement);
  const preview = await screen.findByTestId('rule-preview');
  const affected = () => within(preview).queryAllByTestId('affected').length;
  await waitFor(() => expect(affected()).toBe(20));
  await user.click(await within(preview).findByTestId('more'));
  await waitFor(() => expect(affected()).toBe(40));
  await user.click(await within(preview).findByTestId('more'));
  await waitFor(() => expect(affected()).toBe(41));
  expect(within(preview).queryByTestId('more')).toBeNull();
  await user.click(screen.getByTestId('save-rule'));
  await waitFor(() => expect(screen.queryByTestId('rule-preview')).toBeNull());
});

it.each([
  ['can be restored immediately', '', true],
  ['cannot be restored without a preview if it is paused', 'paused', false],
])('a deleted rule %s', async (_, rules, isRestorable) => {
  const services = createFixtureServices({ rules });
  const saved: unknown[] = [];
  const { user } = await renderPage('/pages/retention', {
    ...services,
    retention: {
      ...services.retention,
      save(rule) {
        saved.push(rule);
        return services.retention.save(rule);
      },
    },
  });
  const [first] = await screen.findAllByTestId('remove-rule');
  await user.click(first as HTMLElement);
  const toast = await screen.findByTestId('toast');
  expect(toast.textContent).toContain('Rule deleted');
  const undo = within(toast).queryByRole('button', { name: 'Undo' });
  expect(undo !== null).toBe(isRestorable);
  if (!undo) return;
  await user.click(undo);
  await waitFor(() => expect(saved).toEqual([{ tag: null, after: 60, unit: 'month' }]));
});
