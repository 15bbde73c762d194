import { screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { createFixtureServices, renderPage } from '../../testing/render-page.tsx';

afterEach(() => vi.restoreAllMocks());

it.each([
  ['/pages/storageLocation', 'keep-cloud', true],
  ['/pages/cloudBackup', 'wifi-only', false],
] as const)(
  '%s shows an error and keeps the value of a setting that cannot be saved',
  async (path, name, isOn) => {
    const services = createFixtureServices({});
    const attempts: unknown[] = [];
    const reportError = vi.spyOn(globalThis, 'reportError').mockImplementation(() => {});
    const { user } = await renderPage(path, {
      ...services,
      settings: {
        ...services.settings,
        async set(...setting) {
          attempts.push(setting);
          throw new Error('disk full for this test');
        },
      },
    });
    const line = screen.getByTestId(name);
    expect(line).toHaveProperty('checked', isOn);
    await user.click(line);
    if (isOn) {
      const dialog = await screen.findByRole('alertdialog');
      await user.click(within(dialog).getByRole('button', { name: 'Turn off' }));
    }
    expect(
      (await screen.findByText(/Couldn’t save\./)).closest('[data-kind="error"]'),
    ).not.toBeNull();
    expect(attempts).toHaveLength(1);
    expect(reportError).toHaveBeenCalledOnce();
    expect(line).toHaveProperty('checked', isOn);
  },
);
