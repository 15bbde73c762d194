import type { FastifyRequest } from 'fastify';
import type { DefineCall } from '../../http/calls.ts';
import type { Converter } from './service.ts';

export function convertRoutes(call: DefineCall, converter: Converter): void {
  call('convert', (body, caller, { origin, request }) =>
    runUntilDisconnect(request, (signal) => converter.convert(caller, body, origin, signal)),
  );
}

/** Runs a function with a signal that aborts when the client disconnects. */
async function runUntilDisconnect<Result>(
  { raw }: FastifyRequest,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const disconnected = new AbortController();
  const onClose = () => disconnected.abort();
  raw.socket.once('close', onClose);
  try {
    return await work(disconnected.signal);
  } finally {
    raw.socket.off('close', onClose);
  }
}
