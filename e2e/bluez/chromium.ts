/** Starts Chromium with Web Bluetooth on the emulated adapter. */
import type { LaunchOptions, Page } from '@playwright/test';
import { chromiumFlags } from '../playwright.config.ts';
import type { EmulatedBluez } from './bluez.ts';

/** Returns the options for Playwright's `chromium.launch`. */
export function bluetoothLaunchOptions(bluez: EmulatedBluez): LaunchOptions {
  return {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    env: { ...(process.env as Record<string, string>), DBUS_SYSTEM_BUS_ADDRESS: bluez.busAddress },
    args: [...chromiumFlags, '--enable-features=WebBluetooth,WebBluetoothNewPermissionsBackend'],
  };
}

/** Makes a page select the first recorder in the browser's device chooser. */
export async function chooseFirstDevice(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const answered = new Set<string>();
  devtools.on('DeviceAccess.deviceRequestPrompted', ({ id, devices }) => {
    const [device] = devices;
    if (!device || answered.has(id)) return;
    answered.add(id);
    devtools
      .send('DeviceAccess.selectPrompt', { id, deviceId: device.id })
      .catch((error: unknown) => console.error('failed to answer the device chooser', error));
  });
  await devtools.send('DeviceAccess.enable');
}
