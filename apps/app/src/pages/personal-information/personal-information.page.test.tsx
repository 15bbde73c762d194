import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ProfileService } from '../../ports/profile.ts';
import { createFixtureServices, renderPage } from '../../testing/render-page.tsx';

const path = '/pages/personalInformation';
const fill = (field: string, value: string) =>
  fireEvent.change(screen.getByTestId(field), { target: { value } });

it('Escape discards a new name, and returns the focus to the line', async () => {
  const { user } = await renderPage(path);
  await user.click(screen.getByTestId('edit-name'));
  fill('name', 'Robin');
  await user.keyboard('{Escape}');
  const line = screen.getByTestId('edit-name');
  expect(line.textContent).toContain('Miriam');
  expect(document.activeElement).toBe(line);
  await user.keyboard('{Enter}');
  expect(screen.getByTestId('name')).toHaveProperty('value', 'Miriam');
});

it('closing the account requires its email and password, and cannot be canceled', async () => {
  const services = createFixtureServices({});
  const response = Promise.withResolvers<Awaited<ReturnType<ProfileService['close']>>>();
  const sent: string[] = [];
  const close: ProfileService['close'] = (password) => {
    sent.push(password);
    return response.promise;
  };
  const profile = { ...services.profile, close };
  const { user } = await renderPage(path, { ...services, profile });
  await user.click(screen.getByTestId('cancel-account'));
  const button = await screen.findByTestId('close-account');
  expect(button).toHaveProperty('disabled', true);
  fill('closing-password', 'wren-gale-harbour-7');
  fill('closing-email', 'wren@example.org');
  expect(button).toHaveProperty('disabled', true);
  fill('closing-email', 'Miriam.Haddad@Example.org');
  expect(button).toHaveProperty('disabled', false);
  fill('closing-password', '');
  expect(button).toHaveProperty('disabled', true);
  fill('closing-password', 'wren-gale-harbour-7');
  await user.click(button);
  expect(sent).toEqual(['wren-gale-harbour-7']);
  expect(screen.getByRole('button', { name: 'Keep account' })).toHaveProperty('disabled', true);
  await user.keyboard('{Escape}');
  expect(screen.getByTestId('close-account').getAttribute('aria-busy')).toBe('true');
  response.resolve({ ok: true, data: null });
  await waitFor(() =>
    expect(screen.getByTestId('toast').textContent).toBe('Your account has been deleted'),
  );
});
