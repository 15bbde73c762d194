/** Systems whose way into a network is told. */
export const systems = ['ios', 'android', 'windows', 'macos', 'linux'] as const;
export type System = (typeof systems)[number];

/** What a browser says of itself. */
export type Hints = Pick<Navigator, 'userAgent' | 'maxTouchPoints'>;

/** The system a browser runs on; Linux where it says none of the others. */
export function systemOf({ userAgent, maxTouchPoints }: Hints): System {
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'ios';
  if (/Android/.test(userAgent)) return 'android';
  if (/Windows/.test(userAgent)) return 'windows';
  // An iPad calls itself a Mac; no Mac has a screen to touch.
  if (/Mac/.test(userAgent)) return maxTouchPoints > 1 ? 'ios' : 'macos';
  return 'linux';
}
