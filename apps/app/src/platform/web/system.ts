import type { DeviceSystem } from '../../ports/system.ts';

/** What a browser says of itself. */
export type Hints = Pick<Navigator, 'userAgent' | 'maxTouchPoints'>;

/** The system a browser runs on, that of a phone's app as well: its pages are shown by the system's browser. */
export function systemOf({ userAgent, maxTouchPoints }: Hints): DeviceSystem {
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'ios';
  if (/Android/.test(userAgent)) return 'android';
  if (/Windows/.test(userAgent)) return 'windows';
  // An iPad calls itself a Mac; no Mac has a screen to touch.
  if (/Mac/.test(userAgent)) return maxTouchPoints > 1 ? 'ios' : 'macos';
  return 'linux';
}
