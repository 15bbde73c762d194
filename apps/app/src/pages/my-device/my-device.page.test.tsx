import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';

it('links to the help about the recorder’s buttons', async () => {
  const { user, address } = await renderPage('/pages/myDevice');
  await user.click(screen.getByTestId('to-guide'));
  await screen.findByRole('heading', { level: 1, name: 'User guide' });
  expect(address()).toBe('/pages/instructions');
  await user.click(screen.getByTestId('back'));
  expect((await screen.findByTestId('device-link')).dataset.status).toBe('connected');
});

it('copies the serial number', async () => {
  const { user } = await renderPage('/pages/myDevice');
  await user.click(screen.getByRole('button', { name: 'Copy serial number' }));
  expect((await screen.findByTestId('toast')).textContent).toBe('Copied');
  expect(await navigator.clipboard.readText()).toBe('LN24A7001234');
});

it('reports that the clipboard is not available', async () => {
  const { user } = await renderPage('/pages/myDevice');
  navigator.clipboard.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'));
  await user.click(screen.getByRole('button', { name: 'Copy serial number' }));
  expect((await screen.findByTestId('toast')).textContent).toContain('Couldn’t copy');
});
