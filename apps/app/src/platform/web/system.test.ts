import { expect, it } from 'vitest';
import { systemOf } from './system.ts';

const agent = (platform: string) => `Mozilla/5.0 (${platform}) AppleWebKit/605.1.15`;

it.each([
  ['an iPhone', 'iPhone; CPU iPhone OS 18_0 like Mac OS X', 5, 'ios'],
  ['an iPad that calls itself a Mac', 'Macintosh; Intel Mac OS X 10_15_7', 5, 'ios'],
  ['a Mac', 'Macintosh; Intel Mac OS X 10_15_7', 0, 'macos'],
  ['an Android phone, which is a Linux, too', 'Linux; Android 15; K', 5, 'android'],
  ['Windows with a screen to touch', 'Windows NT 10.0; Win64; x64', 10, 'windows'],
  ['a Linux', 'X11; Linux x86_64', 0, 'linux'],
] as const)('knows %s', (_, platform, maxTouchPoints, expected) => {
  expect(systemOf({ userAgent: agent(platform), maxTouchPoints })).toBe(expected);
});
