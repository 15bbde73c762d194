import type { DeviceSystem } from '../../ports/system.ts';

/** The browser properties used to detect the system. */
export type Hints = Pick<Navigator, 'userAgent' | 'maxTouchPoints'>;

/** Detects the operating system. This also works in the phone app, whose web view identifies itself like a browser. */
export function detectSystem({ userAgent, maxTouchPoints }: Hints): DeviceSystem {
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'ios';
  if (/Android/.test(userAgent)) return 'android';
  if (/Windows/.test(userAgent)) return 'windows';
  // An iPad identifies itself as a Mac, but no Mac has a touch screen.
  if (/Mac/.test(userAgent)) return maxTouchPoints > 1 ? 'ios' : 'macos';
  return 'linux';
}
