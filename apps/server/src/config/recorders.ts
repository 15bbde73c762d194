import { choice, count, port, variable } from './variable.ts';

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
  DEVICES: variable(
    'registered, open',
    'registered',
    'Serial numbers that may be bound: registered ones only, or any.',
    choice(['registered', 'open']).default('registered'),
  ),
} as const;

const defaultRecorderPort = 8090;

/**
 * Returns the port of the first virtual recorder. By default, a server that other machines can reach doesn't start any.
 */
export function recorderPortFor(requested: number | undefined, exposed: boolean): number {
  return requested ?? (exposed ? 0 : defaultRecorderPort);
}
