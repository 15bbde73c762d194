import { z } from 'zod';
import { baseUrl, choice, count, list, port, variable } from './variable.ts';

/**
 * Maximum number of software recorders. Limits the size of the content security policy, and the number of requests in a
 * search for recorders.
 */
const MAX_SOFTWARE_RECORDERS = 16;

/** Variables for virtual recorders, and for the recorders that may be bound. */
export const recorderVariables = {
  RECORDER_PORT: variable(
    'port or 0',
    '8090; 0 if other machines can reach the server',
    'Loopback port of the virtual recorder; 0 starts none.',
    port.optional(),
  ),
  RECORDERS: variable(
    'number',
    '1',
    'Number of virtual recorders, on consecutive ports.',
    count(1, 16).default(1),
  ),
  RECORDER_URLS: variable(
    'http(s)://host:port, comma-separated',
    'none',
    'Base URLs of other software recorders, at most 16. The app finds them in a browser, which must reach them itself; on a page loaded over HTTPS, only HTTPS and loopback addresses work.',
    list.pipe(
      z
        .array(baseUrl.refine(isOrigin, 'addresses without a path, such as http://127.0.0.1:23011'))
        .max(MAX_SOFTWARE_RECORDERS, `at most ${MAX_SOFTWARE_RECORDERS} addresses`)
        .transform((urls) => [...new Set(urls.map((url) => new URL(url).origin))]),
    ),
  ),
  DEVICES: variable(
    'registered, open',
    'registered',
    'Recorders that may be bound: only registered serial numbers, or any.',
    choice(['registered', 'open']).default('registered'),
  ),
} as const;

/**
 * Returns whether a URL is an origin (without path, query or credentials) and can be part of a content security policy.
 */
function isOrigin(url: string): boolean {
  const { origin, href } = new URL(url);
  return href === `${origin}/`;
}

const defaultRecorderPort = 8090;

/**
 * Returns the port of the first virtual recorder. By default, a server that other machines can reach doesn't start any.
 */
export function recorderPortFor(requested: number | undefined, exposed: boolean): number {
  return requested ?? (exposed ? 0 : defaultRecorderPort);
}
