import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { DeviceSystem } from '../../ports/system.ts';
import { createFixtureServices, renderPage } from '../../testing/render-page.tsx';

const names = {
  ios: 'iPhone and iPad',
  android: 'Android',
  windows: 'Windows',
  macos: 'Mac',
  linux: 'Linux',
} as const satisfies Record<DeviceSystem, string>;

it.each([
  ['ios', 'Copy the password, then open Settings and tap Wi-Fi.'],
  ['android', 'Copy the password, then open Settings and tap Network & internet.'],
  ['windows', 'Copy the password, then click the network icon next to the clock.'],
  ['macos', 'Copy the password, then click the Wi-Fi icon in the menu bar.'],
  ['linux', 'Copy the password, then open your desktop’s network menu.'],
] as const)(
  'shows the instructions for the device’s own system first: %s',
  async (system, step) => {
    const services = createFixtureServices({ link: 'hotspot', transfer: 'joining' });
    await renderPage('/pages/WiFiFastConnection2', { ...services, system });
    const ssid = screen.getByTestId('wifi-name').textContent;
    expect(ssid).toBe('LNR1-9-1234');
    expect(screen.getByTestId('wifi-password').textContent).toBe('AB121234');
    expect(document.querySelector('.section-title')?.textContent).toBe(names[system]);
    const steps = [...document.querySelectorAll('.wifi-steps li')].map((each) => each.textContent);
    expect(steps[0]).toBe(step);
    expect(steps[1]).toContain(ssid);
    const others = [...document.querySelectorAll('.wifi-other > summary')];
    expect(others.map((each) => each.textContent)).toEqual(
      Object.values(names).filter((name) => name !== names[system]),
    );
  },
);
