/** Translates the browser's errors. Their names come from the Web Bluetooth specification. */
import { TransportError, type TransportErrorCode } from '@linnet/device/transport';

type Step = 'choose' | 'connect' | 'services' | 'write';

const codes: { readonly [S in Step]: { readonly [name: string]: TransportErrorCode } } = {
  choose: {
    NotFoundError: 'chooser_cancelled',
    SecurityError: 'chooser_needed',
    NotAllowedError: 'permission_denied',
    NotSupportedError: 'unsupported',
  },
  connect: {
    AbortError: 'aborted',
    NetworkError: 'connect_failed',
    NotFoundError: 'not_found',
    NotAllowedError: 'permission_denied',
    SecurityError: 'permission_denied',
  },
  services: {
    NotFoundError: 'not_a_recorder',
    NotSupportedError: 'not_a_recorder',
    SecurityError: 'permission_denied',
    NetworkError: 'link_lost',
    InvalidStateError: 'link_lost',
  },
  write: {
    NetworkError: 'write_failed',
    InvalidStateError: 'link_lost',
    NotSupportedError: 'write_failed',
    InvalidModificationError: 'write_failed',
  },
};

/** Converts the error from a step to a `TransportError`, with the browser's error as its `cause`. */
export function toTransportError(step: Step, error: unknown): TransportError {
  if (error instanceof TransportError) return error;
  const name = error instanceof Error ? error.name : '';
  const fallback = step === 'write' ? 'write_failed' : 'connect_failed';
  return new TransportError(codes[step][name] ?? fallback, { cause: error });
}
