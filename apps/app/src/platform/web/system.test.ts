import { expect, it } from 'vitest';
import { detectSystem } from './system.ts';

const agent = (platform: string) => `Mozilla/5.0 (${platform}) AppleWebKit/605.1.15`;

it.each([
  ['an iPhone', 'iPhone; CPU iPhone OS 18_0 like Mac OS X', 5, 'ios'],
  ['an iPad that identifies itself as a Mac', 'Macintosh; Intel Mac OS X 10_15_7', 5, 'ios'],
  ['a Mac', 'Macintosh; Intel Mac OS X 10_15_7', 0, 'macos'],
  ['an Android phone that also mentions Linux', 'Linux; Android 15; K', 5, 'android'],
  ['Windows with a touch screen', 'Windows NT 10.0; Win64; x64', 10, 'windows'],
  ['Linux', 'X11; Linux x86_64', 0, 'linux'],
] as const)('detects %s', (_, platform, maxTouchPoints, expected) => {
  expect(detectSystem({ userAgent: agent(platform), maxTouchPoints })).toBe(expected);
});
